"""A Slurm cluster of several nodes on this machine, for tests."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
NODES, CORES = 2, 2

CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=10
CredType=cred/munge
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdSpoolDir={folder}/spool/%n
StateSaveLocation={folder}/state
CommunicationParameters=NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=pmi2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobRequeue=1
KillWait=5
ReturnToService=2
SlurmdParameters=config_overrides
PartitionName=main Nodes=node[1-{nodes}] Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def slurm_here(folder, threads=1):
    """Start Slurm, and yield the environment in which its commands find it.

    Each core has so many threads, which are the CPUs of Slurm.
    """
    missing = [name for name in NEEDED if not shutil.which(name, path=os.environ["PATH"])]
    if missing or os.getuid() != 0:
        pytest.skip("needs root and Slurm (Debian: apt install slurm-wlm munge)")
    folder.chmod(0o755)
    for name in ("state", *(f"spool/node{number + 1}" for number in range(NODES))):
        (folder / name).mkdir(parents=True)
    port = free_port()
    host = socket.gethostname().partition(".")[0]
    lines = [CONFIGURATION.format(folder=folder, host=host, port=port, nodes=NODES)]
    for number in range(1, NODES + 1):
        lines.append(
            f"NodeName=node{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + number} "
            f"CPUs={CORES * threads} Sockets=1 CoresPerSocket={CORES} ThreadsPerCore={threads} "
            "RealMemory=1000 State=UNKNOWN\n"
        )
    # Nodes stand before the partition that names them.
    body, partition = lines[0].rsplit("PartitionName", 1)
    (folder / "slurm.conf").write_text(body + "".join(lines[1:]) + "PartitionName" + partition)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SLURM_")
    } | {"SLURM_CONF": str(folder / "slurm.conf")}
    try:
        start(folder, environment)
        yield environment
    finally:
        stop(folder)


def start(folder, environment):
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    munged = ["munged", "--force", f"--key-file={key}", f"--socket={folder}/munge.sock"]
    munged += [f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log"]
    commands = [[*munged, f"--seed-file={folder}/munged.seed"], ["slurmctld", "-c"]]
    commands += [["slurmd", "-N", f"node{number + 1}"] for number in range(NODES)]
    for command in commands:
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=30)
    deadline = time.monotonic() + 30
    while True:
        idle = ["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"]
        said = subprocess.run(idle, env=environment, capture_output=True, text=True, timeout=30)
        if len(said.stdout.split()) == NODES:
            return
        assert time.monotonic() < deadline, (said, (folder / "slurmctld.log").read_text()[-2000:])
        time.sleep(0.1)


def stop(folder):
    """End the daemons by the numbers that they have written, nodes first."""
    for path in sorted(folder.glob("*.pid"), reverse=True):
        try:
            number = int(path.read_text())
            name = Path(f"/proc/{number}/comm").read_text().strip()
            if name in ("slurmd", "slurmctld", "munged"):
                os.kill(number, signal.SIGKILL)
        except (OSError, ValueError):
            continue


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        # Below those that the system hands out, so that the following ones are free, too.
        return 17000 + one.getsockname()[1] % 3000
