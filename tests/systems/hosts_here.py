"""Several hosts with a slow network between them on this machine, for tests and measurements.

    python tests/hosts_here.py 4 100 -n 4 .venv/bin/mcts-cluster bench exchanges

starts four ranks on four hosts, and every frame on its way between them takes 100 µs and what
this machine adds. A host is a network namespace with a name of its own; a program in between, at
the end of this file, is the switch, because few kernels of containers can delay a frame themselves.
"""

import fcntl
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path

TUN = Path("/dev/net/tun")
NEEDED = ("ip", "unshare", "hostname")
# What mpich's launcher is given instead of ssh: words, the host's address, a command for a shell.
REMOTE = """\
#!/bin/sh
while [ "${1#10.77.0.}" = "$1" ]; do shift; done
number=${1#10.77.0.}
shift
exec ip netns exec %s-$number unshare --uts sh -c "hostname host$number; exec $*"
"""


class NotHere(Exception):
    """Says why there can be no such hosts."""


@contextmanager
def hosts_here(count, microseconds):
    """Yield what starts a command on ranks, the first words of its command line."""
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing or os.getuid() != 0 or not TUN.exists():
        raise NotHere(f"needs root, {TUN} and the programs {', '.join(NEEDED)}")
    launcher = Path(sys.executable).with_name("mpiexec.hydra")
    if not launcher.exists():
        raise NotHere("needs mpich, the extra of this package")
    name = f"hosts{os.getpid()}"
    switch = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            ip("netns", "add", f"{name}-0")
            words = ["ip", "netns", "exec", f"{name}-0", sys.executable, __file__, "--switch"]
            switch = subprocess.Popen([*words, f"{count}", f"{microseconds}"], stdout=-1)
            if switch.stdout.readline() != b"ready\n":
                raise NotHere("no switch between network namespaces can be made here")
            for number in range(1, count + 1):
                connect(name, number)
            remote, machines = Path(folder, "remote"), Path(folder, "hosts")
            remote.write_text(REMOTE % name)
            remote.chmod(0o755)
            machines.write_text("".join(f"10.77.0.{k + 1}\n" for k in range(count)))
            start = [f"{remote}", "10.77.0.1", f"{launcher}", "-localhost", "10.77.0.1"]
            start += ["-launcher", "ssh", "-launcher-exec", f"{remote}", "-f", f"{machines}"]
            # Or ranks find the memory that these hosts share.
            yield [*start, "-genv", "UCX_TLS", "tcp,self"]
        finally:
            if switch:
                switch.kill()
                switch.communicate()
            for number in range(count + 1):
                with suppress(NotHere):
                    ip("netns", "delete", f"{name}-{number}")


def connect(name, number):
    """Make a host and plug it into the switch."""
    here = f"{name}-{number}"
    ip("netns", "add", here)
    ip("-n", f"{name}-0", "link", "set", f"t{number}", "netns", here)
    ip("-n", here, "link", "set", f"t{number}", "address", f"02:00:00:00:00:{number:02x}")
    ip("-n", here, "link", "set", f"t{number}", "mtu", "9000", "up")
    ip("-n", here, "link", "set", "lo", "up")
    ip("-n", here, "addr", "add", f"10.77.0.{number}/24", "dev", f"t{number}")


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode:
        raise NotHere(f"ip {' '.join(words)}: {done.stderr.strip()}")


def switch(count, microseconds):
    """Pass frames on to the port that they are for, so much later."""
    ports = [port(number) for number in range(1, count + 1)]
    print("ready", flush=True)
    under_way = deque()
    while True:
        due = under_way[0][0] - time.monotonic() if under_way else None
        for arrived in select.select(ports, [], [], due and max(0.0, due))[0]:
            with suppress(BlockingIOError):
                frame = os.read(arrived, 65536)
                under_way.append((time.monotonic() + 1e-6 * microseconds, arrived, frame))
        while under_way and under_way[0][0] <= time.monotonic():
            _, sender, frame = under_way.popleft()
            to_all = frame[0] & 1
            for other in [p for p in ports if p != sender] if to_all else [ports[frame[5] - 1]]:
                # As in the world, a frame for a port that is down is lost.
                with suppress(OSError):
                    os.write(other, frame)


def port(number):
    """Make an interface whose frames this process reads and writes."""
    tap, no_header, make = 2, 0x1000, 0x400454CA
    opened = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(opened, make, struct.pack("16sH22x", f"t{number}".encode(), tap | no_header))
    return opened


if __name__ == "__main__":
    if sys.argv[1] == "--switch":
        switch(int(sys.argv[2]), int(sys.argv[3]))
    with hosts_here(int(sys.argv[1]), int(sys.argv[2])) as start:
        sys.exit(subprocess.run([*start, *sys.argv[3:]]).returncode)
