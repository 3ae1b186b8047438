from cext.go_database import Database
from cext.go_bias_patterns import Patterns
from cext.policy import Policy

DEFAULTS: dict[str, int]

class GoPolicy(Policy):
    """MoGo's playouts and priors."""

    patterns: Patterns | None
    database: Database | None
    def __init__(
        self, patterns: Patterns | None = None, database: Database | None = None, **settings: int
    ) -> None: ...
