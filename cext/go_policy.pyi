from cext.go_bias_patterns import Patterns
from cext.go_move_model import MoveModel
from cext.policy import Policy

DEFAULTS: dict[str, int]

class GoPolicy(Policy):
    """MoGo's playouts and priors."""

    patterns: Patterns | None
    move_model: MoveModel | None
    @property
    def replays(self) -> int: ...
    def __init__(
        self,
        patterns: Patterns | None = None,
        move_model: MoveModel | None = None,
        *,
        threads: int = 1,
        **settings: int,
    ) -> None: ...
