"""The functions of exact_math.pxd as Python sees them."""
from cext.exact_math cimport logarithm


def logarithm_of(double x):
    """Return the natural logarithm."""
    return logarithm(x)
