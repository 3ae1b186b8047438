"""The eight symmetries of a square."""

import pytest

from cext.symmetries import turned


def test_a_drawing_has_eight_images_and_the_first_is_itself():
    images = turned("abcdefghi")

    assert images[0] == "abcdefghi"
    assert len(set(images)) == 8
    assert {image[4] for image in images} == {"e"}


def test_bits_mirror_columns_and_rows_and_exchange_them_before_that():
    images = turned("abcd")

    assert images[1:5] == ["badc", "cdab", "dcba", "acbd"]


@pytest.mark.parametrize("drawing", ["abcd", "abcdefghi"])
def test_images_of_images_are_images(drawing):
    images = set(turned(drawing))

    assert all(set(turned(image)) == images for image in images)


def test_what_is_symmetric_stays():
    assert set(turned("xoxo.oxox")) == {"xoxo.oxox"}
