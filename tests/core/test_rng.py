"""The generator against a transcription of its published definition, and against known numbers."""

import pytest

from cext.rng import Generator

WORD = 2**64


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        yield z ^ z >> 31


def rotate(word, bits):
    return (word << bits | word >> 64 - bits) % WORD


def xoroshiro128plus(a, b):
    while True:
        yield (a + b) % WORD
        b ^= a
        a, b = (rotate(a, 24) ^ b ^ b << 16) % WORD, rotate(b, 37)


def test_transcription_of_splitmix_gives_the_published_numbers():
    words = splitmix(1234567)

    assert [next(words) for _ in range(2)] == [6457827717110365317, 3203168211198807973]


@pytest.mark.parametrize("seed", [0, 1, 42, WORD - 1])
def test_numbers_follow_the_definition(seed):
    state = splitmix(seed)
    expected = xoroshiro128plus(next(state), next(state))

    assert Generator(seed).numbers(1000) == [next(expected) for _ in range(1000)]


@pytest.mark.parametrize("bound", [1, 2, 3, 81, 361, 2**32 - 1])
def test_bounded_numbers_are_the_high_end_of_a_product(bound):
    expected = [number * bound // WORD for number in Generator(7).numbers(1000)]

    assert Generator(7).numbers_below(1000, bound) == expected
