from cext.policy import Policy

DEFAULTS: dict[str, int]

class GoPolicy(Policy):
    """MoGo's playouts and priors."""

    def __init__(self, **settings: int) -> None: ...
