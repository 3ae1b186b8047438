"""Instructions of processors that C has no word for."""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define mcts_lowest_bit(x) __builtin_ctz(x)
    #define mcts_prefetch(address) __builtin_prefetch(address)
    #else
    static int mcts_lowest_bit(unsigned x) { int i = 0; while (!(x >> i & 1)) i++; return i; }
    #define mcts_prefetch(address) ((void)(address))
    #endif
    """
    # The number of the lowest bit that is set; there must be one.
    int lowest_bit "mcts_lowest_bit"(unsigned int bits) noexcept nogil
    # Fetch memory that will be wanted soon.
    void prefetch "mcts_prefetch"(const void* address) noexcept nogil
