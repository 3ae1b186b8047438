"""The logarithm, to the last bit the same on every machine, as that of libm need not be."""
from libc.math cimport frexp


cdef inline double logarithm(double x) noexcept nogil:
    """With x = m * 2^e and m near 1, log m = 2 artanh(t) for t = (m-1) / (m+1), |t| < 0.172.

    Eleven terms of its series are exact to a double's precision. Only sums, products and quotients
    are used, and the build keeps the compiler from contracting them.
    """
    cdef int exponent, i
    cdef double m = frexp(x, &exponent), t, square, total = 0
    if m < 0.7071067811865476:
        m *= 2
        exponent -= 1
    t = (m - 1) / (m + 1)
    square = t * t
    for i in range(21, 0, -2):
        total = total * square + 1.0 / i
    return 2 * t * total + exponent * 0.6931471805599453
