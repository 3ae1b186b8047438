"""Functions of floats with the same results on every machine, unlike those of libm.

Named as in numpy: code that uses this module also works with numpy on arrays, as in forecasts of
many races at once.
"""

import math

from cext.exact_math import logarithm_of

log = logarithm_of
sqrt = math.sqrt
maximum = max

# The logarithm of 2 in two parts: a whole number times the first is exact.
LN2_FIRST, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10
# 1/0!, 1/1!, ... as far as they count below √2.
INVERSE_FACTORIALS = [1 / math.factorial(n) for n in range(17)]


def exp(x: float) -> float:
    """e^x as 2^k e^r with |r| at most half of log 2: a series of sums and products."""
    k = round(x / LN2_FIRST)
    r = (x - k * LN2_FIRST) - k * LN2_REST
    total = 0.0
    for coefficient in reversed(INVERSE_FACTORIALS):
        total = total * r + coefficient
    return math.ldexp(total, k)


def where(condition: bool, yes: float, no: float) -> float:
    return yes if condition else no


def all(condition: bool) -> bool:
    return condition
