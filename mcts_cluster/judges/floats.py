"""Functions of floats that give the same on every machine, as libm's need not.

Named as numpy names them: what is written for this module also works with numpy and on arrays,
which is how forecasts look at many races at once.
"""

import math

from cext.search import logarithm_of

log = logarithm_of
sqrt = math.sqrt
maximum = max

LN2 = 0.6931471805599453
# 1/0!, 1/1!, ... as far as they count below √2.
INVERSE_FACTORIALS = [1 / math.factorial(n) for n in range(17)]


def exp(x: float) -> float:
    """e^x as 2^k e^r with |r| at most half of log 2: a series of sums and products."""
    k = round(x / LN2)
    r = x - k * LN2
    total = 0.0
    for coefficient in reversed(INVERSE_FACTORIALS):
        total = total * r + coefficient
    return math.ldexp(total, k)


def where(condition: bool, yes: float, no: float) -> float:
    return yes if condition else no


def all(condition: bool) -> bool:
    return condition
