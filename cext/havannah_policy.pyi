from cext.policy import Policy

DEFAULTS: dict[str, int]

class HavannahPolicy(Policy):
    """Playouts that answer threats, and priors, for Havannah."""

    def __init__(self, **settings: int) -> None: ...
