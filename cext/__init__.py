"""The compiled core: games, playouts, trees and search, in Cython.

Nothing here knows of files, jobs or other ranks. The .pxd files are the contract, with every field
explained, and are installed, so that other Cython code can cimport them: `from cext.game cimport
Game`. The .pyi files are the part that Python sees.

A build for the processor it was made on dies on an older one without a word. So it is refused here,
before anything compiled is loaded.
"""

from pathlib import Path
from platform import node

CPUINFO = Path("/proc/cpuinfo")


def refuse_another_processor(record: Path, cpuinfo: Path = CPUINFO) -> None:
    """Raise ImportError where this processor lacks instructions that setup.py has recorded."""
    try:
        model, needs = record.read_text(encoding="utf-8").splitlines()
        with cpuinfo.open("rb", buffering=0) as file:
            # The beginning tells of the first core; on hundreds of them all of it takes long.
            said = file.read(8192).decode(errors="replace")
    except OSError:
        # A portable build, or no Linux.
        return
    flags = next((line for line in said.splitlines() if line.startswith("flags")), "")
    missing = [name for name in needs.split() if name not in flags.split()]
    if flags and missing:
        raise ImportError(
            f"built for {model}; the processor of {node()} lacks {' '.join(missing)}: rebuild "
            "with MCTS_CLUSTER_PORTABLE=1, or on a node of this type",
            name="cext",
        )


refuse_another_processor(Path(__file__).with_name("built_for.txt"))
