def logarithm_of(x: float) -> float:
    """Return the natural logarithm."""
