"""Capturing races by their parts: outside liberties, shared ones, and an eye of each side.

Two chains lie side by side, Black's above White's. Shared liberties are between them, outside ones
beyond them, and the eyes at their ends, each enclosed by its chain, which a wall of the other side
encloses in turn.
"""

from semeai_cases import BLACK, Drawing, Outcomes

MIDDLE = 9

# Eyes of each size, south first, as they lie beside Black's chain, both such as can be killed and
# such as cannot.
EYES = {
    1: ["*"],
    2: ["**", "* *"],
    3: ["***", "** *", "* * *"],
    4: ["** **", "*** .*.", ".*. *** ", "*** *..", "* * * *"],
    5: ["*** **.", ".*. *** .*.", "*** *.. *..", ".** *** "],
    6: [".*. *** **.", "*** ***", "** ** **", ".** *** .*."],
    7: ["**. *** .**", "*** *** *..", "*** *** .*."],
}


# Eyes that are one eye only, by the enemy's stones `o` where they have to be.
SINGLE_EYES = [
    "",
    *("*", "**", "*o*", "** **", "*o* .*.", "*o* **.", ".*. *o* .*.", ".*. *o* **."),
    "*oo ooo .o.",
]


def shape(drawing, letters="*o"):
    """Return the points of an eye, or those with some letters only."""
    rows = enumerate(drawing.split())
    return {(x, y) for y, row in rows for x in range(len(row)) if row[x] in letters}


def near(points):
    """Return all points around some, the diagonal ones too, themselves in it."""
    return {(x + dx, y + dy) for x, y in points for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


class Family:
    """The races of two chains with so many outside liberties of each, shared ones, and two eyes."""

    def __init__(self, outside, shared, eyes=("", "")):
        self.outside, self.shared, self.eyes = outside, shared, eyes
        self.letters = {}
        left = max(*outside, shared) + 1
        self.last = left + max((x + 2 for eye in eyes for x, _ in shape(eye)), default=0)
        self.outside_points = []
        for x in range(self.last + 1):
            self.letters[x, MIDDLE] = "." if x < shared else "X"
        for side in range(2):
            self.add_side(side, left)
        rows = tuple(
            "".join(self.letters.get((x, y), " ") for x in range(Drawing.size))
            for y in range(Drawing.size)
        )
        self.drawing = Drawing(rows)

    def add_side(self, side, left):
        up = 1 - 2 * side

        def at(x, y):
            return x, MIDDLE + up * y

        eye = {at(left + 1 + x, y + 2) for x, y in shape(self.eyes[side])}
        inside = {at(left + 1 + x, y + 2) for x, y in shape(self.eyes[side], "o")}
        outside = {at(x, 2) for x in range(self.outside[side])}
        chain = {at(x, 1) for x in range(self.last + 1)} | near(eye) - eye
        for points, letter in ((eye | outside, "."), (inside, "OX"[side]), (chain, "XO"[side])):
            self.letters.update(dict.fromkeys(points, letter))
        for x, y in near(chain | outside) | {(self.last + 1, MIDDLE)}:
            beyond = up * (y - MIDDLE) > 0 or (side == BLACK and x > self.last)
            if beyond and 0 <= x < Drawing.size and 0 <= y < Drawing.size:
                self.letters.setdefault((x, y), "ox"[side])
        self.outside_points.append(outside)

    def bits(self, points):
        return sum(1 << self.drawing.number[point] for point in points)

    @property
    def racers(self):
        """Return the chains, as bits."""
        corner = self.drawing
        return [
            corner.chain(self.bits([(0, MIDDLE + 1 - 2 * side)]), corner.stones[side])
            for side in range(2)
        ]

    @property
    def outcomes(self):
        return Outcomes(self.drawing, *self.racers, alike=self.alike)

    @property
    def alike(self):
        """Return the cells of which it matters only how many are taken, and by whom they look so.

        Those outside are taken by the other side, in front of its wall; shared ones by Black.
        """
        between = [(x, MIDDLE) for x in range(self.shared)]
        groups = [(1, self.outside_points[0]), (0, self.outside_points[1]), (0, between)]
        return [(color, self.bits(points)) for color, points in groups]
