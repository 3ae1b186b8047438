"""Durations as people say them."""


def duration(seconds: float) -> str:
    """Return a duration as people say it: "45 s", "12 min", "3 h 20 min", "2 d 3 h"."""
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 100:
        return f"{seconds:.0f} s"
    if minutes < 100:
        return f"{minutes} min"
    if hours < 48:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{hours // 24} d {hours % 24} h"
