"""Seeds by path: games depend on their place in the job, never on a rank or a clock."""

from hashlib import blake2b


def seed(*path: int | str) -> int:
    """Return the 64-bit seed of a path such as (job seed, match, game number)."""
    text = "/".join(map(str, path))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
