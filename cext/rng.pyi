def numbers(seed: int, count: int) -> list[int]:
    """Return the first numbers, 64 bits each, that a seed gives."""

def numbers_below(seed: int, count: int, bound: int) -> list[int]:
    """Return the first numbers in 0 .. bound-1 that a seed gives."""
