"""Records of Havannah: SGF's grammar with names of moves, in two dialects.

    (;FF[4]SZ[4]RU[LG]...;W[E1];B[swap];W[F2];B[D3]...)     Little Golem and HavannahGui
    (;FF[4]GM[havannah]SZ[4];W[e2];B[d3]...)                Morat, and what is written here

RU[LG] means that numbers count from a column's end. A resignation ends a record and is no move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sgfmill import sgf_grammar

from mcts_cluster.errors import UserError, one_line
from mcts_cluster.games.sgf import parse


@dataclass
class HavannahRecord:
    """One game: its size and its moves by name, White's first; "swap" may be the second."""

    size: int
    moves: list[str] = field(default_factory=list)
    little_golem: bool = False  # which notation the names are in
    result: str = ""  # as written: "W", "B", "0"

    @property
    def swap(self) -> bool:
        """Whether the game was played with the swap rule, as far as one can see."""
        return "swap" in self.moves


def read(data: bytes | str) -> HavannahRecord:
    """Read one game, the first of a collection; raises UserError."""
    return next(read_all(data))


def read_all(data: bytes | str) -> Iterator[HavannahRecord]:
    """Read the games of a collection one by one; raises UserError when it comes to a bad one."""
    for number, tree in enumerate(parse(data, "HGF"), 1):
        try:
            yield read_tree(list(sgf_grammar.main_sequence_iter(tree)))
        except ValueError as error:
            raise UserError(f"HGF, game {number}: {one_line(error)}") from None


def read_tree(nodes: list[dict[str, list[bytes]]]) -> HavannahRecord:
    """Turn the nodes of a main line into a Record; raises ValueError."""
    root = nodes[0]
    game = text(root, "GM").lower()
    if game not in ("", "havannah"):
        raise ValueError(f"GM[{game}] is not Havannah, which is GM[havannah]")
    size = text(root, "SZ")
    if not (size.isascii() and size.isdigit() and len(size) < 4):
        raise ValueError(f"SZ[{size[:20]}]: must be a size")
    record = HavannahRecord(
        int(size), little_golem=text(root, "RU").upper() == "LG", result=text(root, "RE")
    )
    for index, node in enumerate(nodes):
        colors = sorted(node.keys() & {"W", "B"})
        if len(colors) > 1:
            raise ValueError(f"node {index}: a move of White and one of Black in one node")
        for color in colors:
            if color != "WB"[len(record.moves) % 2]:
                raise ValueError(f"node {index}: {color} moves out of turn")
            move = text(node, color)
            if move.lower() == "resign":
                return record
            record.moves.append("swap" if move.lower() == "swap" else move)
    return record


def text(node: dict[str, list[bytes]], name: str) -> str:
    """Return a property's first value, or nothing."""
    return node[name][0].decode().strip() if name in node else ""


def write(record: HavannahRecord) -> str:
    """Return the record in its dialect."""
    root: dict[str, Any] = {"FF": "4", "SZ": str(record.size)}
    root |= {"RU": "LG"} if record.little_golem else {"GM": "havannah"}
    if record.result:
        root["RE"] = record.result
    nodes = [root]
    for ply, move in enumerate(record.moves):
        # Beyond size 13 columns differ by case.
        big = record.little_golem and record.size <= 13 and move != "swap"
        nodes.append({"WB"[ply % 2]: move.upper() if big else move})
    return (
        "(" + "".join(";" + "".join(f"{n}[{v}]" for n, v in node.items()) for node in nodes) + ")\n"
    )
