# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent truth for the features: each written again, cell by cell, from the papers' definitions as
this project fixed them, without a look at the C code. Run as a program it compares them with what
`tetralab features` prints: on random boards, on boards of games with random moves, for moves from there, and
on the boards of recorded games of real players, in all sizes.

    reference_features.py PROGRAM [SEED [BOARDS_A_SIZE]]
"""
import json
import random
import subprocess
import sys
import tempfile

WIDTHS, HEIGHTS = range(4, 15), range(4, 28)

# ---- the game: cells around an origin, turned counter-clockwise ------------------------------------------

CELLS = {
    "O": [(-1, -1), (0, -1), (0, 0), (-1, 0)],
    "I": [(-2, 0), (-1, 0), (0, 0), (1, 0)],
    "S": [(-1, -1), (0, -1), (0, 0), (1, 0)],
    "Z": [(0, -1), (1, -1), (-1, 0), (0, 0)],
    "L": [(-1, -1), (-1, 0), (0, 0), (1, 0)],
    "J": [(1, -1), (-1, 0), (0, 0), (1, 0)],
    "T": [(0, -1), (-1, 0), (0, 0), (1, 0)],
}
ORIENTATIONS = {"O": 1, "I": 2, "S": 2, "Z": 2, "L": 4, "J": 4, "T": 4}


def shape(piece, orientation):
    """Cells (x, y) with the lowest and leftmost at 0."""
    cells = CELLS[piece]
    for _ in range(orientation):
        cells = [(-y, x) for x, y in cells]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return [(x - left, y - low) for x, y in cells]


class Board:
    """Filled cells as a set of (x, y), y = 0 the lowest row."""

    def __init__(self, width, height, cells=()):
        self.width, self.height, self.cells, self.tops = width, height, frozenset(cells), None

    def filled(self, x, y):
        return (x, y) in self.cells

    def empty(self, x, y):
        """Inside the board and not filled."""
        return 0 <= x < self.width and 0 <= y < self.height and (x, y) not in self.cells

    def wall_or_filled(self, x, y):
        return x < 0 or x >= self.width or (x, y) in self.cells

    def column(self, x):
        return [self.filled(x, y) for y in range(self.height)]

    def places(self):
        return [(x, y) for x in range(self.width) for y in range(self.height)]

    def heights(self):
        if self.tops is None:
            self.tops = [0] * self.width
            for x, y in self.cells:
                self.tops[x] = max(self.tops[x], y + 1)
        return self.tops

    def text(self):
        rows = ("".join(".#"[self.filled(x, y)] for x in range(self.width))
                for y in reversed(range(self.height)))
        return "\n".join(rows) + "\n"

    def drop(self, piece, orientation, left):
        """The piece falls straight down from above; full rows are removed. <- (Move, board after it)."""
        cells = shape(piece, orientation)
        row = self.height
        while row > 0 and not any((left + x, row - 1 + y) in self.cells for x, y in cells):
            row -= 1
        placed = {(left + x, row + y) for x, y in cells}
        both = self.cells | placed
        full = [y for y in range(self.height + 4) if all((x, y) in both for x in range(self.width))]
        after = {(x, y - sum(f < y for f in full)) for x, y in both if y not in full}
        move = Move()
        move.before, move.row, move.lines = self, row, len(full)
        move.rows = [y for _, y in placed]
        move.piece_height = 1 + max(y for _, y in cells)
        move.cells_removed = sum(y in full for _, y in placed)
        return move, Board(self.width, self.height, after)


class Move:
    pass


# ---- features of boards ----------------------------------------------------------------------------------


def differences(board):
    h = board.heights()
    return [h[x + 1] - h[x] for x in range(board.width - 1)]


def well_depths(board):
    """How much lower a column is than both neighbours; walls are infinitely high."""
    h = [float("inf")] + board.heights() + [float("inf")]
    return [max(0, min(h[x - 1], h[x + 1]) - h[x]) for x in range(1, board.width + 1)]


def jags(board):
    return sum(d != 0 for d in differences(board))


def max_height(board):
    return max(board.heights())


def min_height(board):
    return min(board.heights())


def mean_height(board):
    return sum(board.heights()) / board.width


def is_hole(board, x, y):
    return y < board.heights()[x] and not board.filled(x, y)


def holes(board):
    return sum(not board.filled(x, y) for x, height in enumerate(board.heights()) for y in range(height))


def height_differences(board):
    return sum(abs(d) for d in differences(board))


def cell_transitions(board):
    return sum(board.filled(x + dx, y + dy) for x, y in board.places() if board.empty(x, y)
               for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))


def deep_wells(board):
    return sum(d for d in well_depths(board) if d > 1)


def weighted_cells(board):
    return sum(y + 1 for _, y in board.cells)


def row_transitions(board):
    count = 0
    for y in range(board.height):
        row = [True] + [board.filled(x, y) for x in range(board.width)] + [True]
        count += sum(a != b for a, b in zip(row, row[1:]))
    return count


def column_transitions(board):
    count = 0
    for x in range(board.width):
        column = [True] + board.column(x) + [False]
        count += sum(a != b for a, b in zip(column, column[1:]))
    return count


def between_filled(board, x, y):
    return board.empty(x, y) and board.wall_or_filled(x - 1, y) and board.wall_or_filled(x + 1, y)


def empty_run_down(board, x, y):
    count = 0
    while board.empty(x, y - count):
        count += 1
    return count


def cumulative_wells(board):
    return sum(empty_run_down(board, x, y) for x, y in board.places() if between_filled(board, x, y))


def cumulative_wells_fast(board):
    total = 0
    for x in range(board.width):
        y = board.height - 1
        while y >= 0:
            run = empty_run_down(board, x, y) if between_filled(board, x, y) else 0
            total += run * (run + 1) // 2
            y -= max(run, 1)
    return total


def adjacent_holes(board):
    return sum(board.empty(x, y - 1) for x, y in board.cells)


def hole_depth(board):
    return sum(any(board.empty(x, below) for below in range(y)) for x, y in board.cells)


def mean_hole_depth(board):
    return hole_depth(board) / adjacent_holes(board) if adjacent_holes(board) else 0


def rows_with_holes(board):
    return sum(any(is_hole(board, x, y) for x in range(board.width)) for y in range(board.height))


def diversity(board):
    return len({d for d in differences(board) if -2 <= d <= 2})


# xtris. The papers do not say which of two covers counts: the nearer one does. Nor do they limit the sums,
# which can double from row to row; here they stop at EMBEDDED_LIMIT (docs/features.md).
EMBEDDED_LIMIT = 16383


def embedded_holes(board):
    sums = {}
    for y in reversed(range(board.height)):
        sums[y] = 0
        for x in range(board.width):
            if board.empty(x, y):
                cover = next((above for above in (y + 1, y + 2) if board.filled(x, above)), None)
                sums[y] += 1 + (sums[cover] if cover is not None else 0)
        sums[y] = min(sums[y], EMBEDDED_LIMIT)
    return min(sum(sums.values()), EMBEDDED_LIMIT)


def frontier(board):
    return cell_transitions(board) + sum(board.empty(x, y) for y in range(board.height)
                                         for x in (0, board.width - 1))


def pits(board):
    total = 0
    for x, height in enumerate(board.heights()):
        closed = [y for y in range(height, board.height) if between_filled(board, x, y)]
        depth = closed[-1] - height + 1 if closed else 0
        total += depth - 1 if depth >= 2 else 0
    return total


# ---- tables: what is left and what is right share a number -----------------------------------------------


def holes_by_column(board):
    found = [sum(is_hole(board, x, y) for y in range(board.height)) for x in range(board.width)]
    mirrored = list(reversed(found))
    return [found[x] + mirrored[x] if x != board.width - 1 - x else found[x]
            for x in range((board.width + 1) // 2)]


def highest_holes(board):
    """Row (from 1) of the highest hole, and the columns that have one there."""
    found = [(y + 1, x) for x in range(board.width) for y in range(board.height) if is_hole(board, x, y)]
    top = max((row for row, _ in found), default=0)
    return top, [x for row, x in found if row == top]


def highest_hole_column(board):
    return max((board.heights()[x] for x in highest_holes(board)[1]), default=0)


def numbers_of_wells(depths):
    return [sum(d == 1 for d in depths), sum(d == 2 for d in depths), sum(d >= 3 for d in depths),
            sum(d - 2 for d in depths if d >= 3)]


def wells_with_places(board):
    """(depth, columns between it and the nearer wall) of every well."""
    return [(d, min(x, board.width - 1 - x)) for x, d in enumerate(well_depths(board)) if d]


def wells_by_place(board, wells=None):
    wells = wells_with_places(board) if wells is None else wells
    table = []
    for place in range(4):
        table += numbers_of_wells([d for d, near in wells if min(near, 3) == place])
    return table


def deepest_well(board):
    return wells_by_place(board, sorted(wells_with_places(board), key=lambda w: (-w[0], w[1]))[:1])


def outlines(piece, both_ways):
    """Differences of the lowest cells of neighbouring columns, for every orientation."""
    found = set()
    for orientation in range(ORIENTATIONS[piece]):
        cells = shape(piece, orientation)
        lowest = [min(y for x, y in cells if x == column) for column in range(1 + max(x for x, _ in cells))]
        outline = tuple(b - a for a, b in zip(lowest, lowest[1:]))
        found |= {outline, tuple(-d for d in outline)} if both_ways else {outline}
    return found - {()}


def fits(board, both_ways=False):
    d, table = differences(board), []
    for pieces in "I", "O", "T", "SZ", "LJ":
        counts = [sum(tuple(d[x:x + len(outline)]) == outline for outline in outlines(piece, both_ways)
                      for x in range(len(d))) for piece in pieces]
        table += [sum(c >= 1 for c in counts), sum(c >= 2 for c in counts)]
    return table


def clip(number, most):
    return max(-most, min(most, number))


def wall_steps(board):
    h = board.heights()
    above = [clip(h[0] - h[1], 3), clip(h[-1] - h[-2], 3)]
    return [above.count(s) for s in (-3, -2, -1, 1, 2, 3)]


def unordered_pairs(most):
    """(a, b) with a <= b, sorted by b, then by a."""
    return [(a, b) for b in range(-most, most + 1) for a in range(-most, b + 1)]


def step_pairs(board):
    h = board.heights()
    found = [tuple(sorted((clip(h[x] - h[x - 1], 3), clip(h[x] - h[x + 1], 3))))
             for x in range(1, board.width - 1)]
    return [found.count(pair) for pair in unordered_pairs(3)]


def step_triples(board):
    h = [float("inf")] + board.heights() + [float("inf")]
    found = []
    for x in range(1, board.width):
        left, right = (h[x], clip(h[x] - h[x - 1], 2)), (h[x + 1], clip(h[x + 1] - h[x + 2], 2))
        lower, higher = sorted((left, right))  # equally high: by what they stand above
        found.append((min(higher[0] - lower[0], 2), lower[1], higher[1]))
    patterns = [(0, a, b) for a, b in unordered_pairs(2)]
    patterns += [(size, a, b) for size in (1, 2) for a in range(-2, 3) for b in range(-2, 3)]
    return [found.count(pattern) for pattern in patterns]


def near_top(board):
    return [max(0, max_height(board) - board.height + below) for below in (12, 10, 8, 6, 4, 2)]


OF_BOARD = {
    "jags": jags,
    "max-height": max_height,
    "holes": holes,
    "column-heights": Board.heights,
    "column-differences": lambda board: [abs(d) for d in differences(board)],
    "cell-transitions": cell_transitions,
    "deep-wells": deep_wells,
    "embedded-holes": embedded_holes,
    "height-differences": height_differences,
    "mean-height": mean_height,
    "weighted-cells": weighted_cells,
    "wells": lambda board: sum(well_depths(board)),
    "cells": lambda board: len(board.cells),
    "row-transitions": row_transitions,
    "column-transitions": column_transitions,
    "cumulative-wells": cumulative_wells,
    "cumulative-wells-fast": cumulative_wells_fast,
    "min-height": min_height,
    "max-minus-mean-height": lambda board: max_height(board) - mean_height(board),
    "mean-minus-min-height": lambda board: mean_height(board) - min_height(board),
    "mean-hole-depth": mean_hole_depth,
    "height-range": lambda board: max_height(board) - min_height(board),
    "adjacent-holes": adjacent_holes,
    "max-well-depth": lambda board: max(well_depths(board)),
    "hole-depth": hole_depth,
    "rows-with-holes": rows_with_holes,
    "diversity": diversity,
    "frontier": frontier,
    "pits": pits,
    "highest-hole": lambda board: highest_holes(board)[0],
    "highest-hole-column": highest_hole_column,
    "holes-by-column": holes_by_column,
    "wells-by-depth": lambda board: numbers_of_wells(well_depths(board)),
    "wells-by-place": wells_by_place,
    "deepest-well": deepest_well,
    "fits": fits,
    "fits-both-ways": lambda board: fits(board, both_ways=True),
    "step-sizes": lambda board: [sum(min(abs(d), 3) == size for d in differences(board))
                                 for size in (1, 2, 3)],
    "wall-steps": wall_steps,
    "step-pairs": step_pairs,
    "step-triples": step_triples,
    "near-top": near_top,
}

# ---- features of moves -----------------------------------------------------------------------------------


def change(feature):
    return lambda move, after: feature(after) - feature(move.before)


OF_MOVE = {
    "landing-height": lambda move, after: move.row + (move.piece_height - 1) / 2,
    "mean-landing-height": lambda move, after: sum(move.rows) / 4,
    "delta-max-height": change(max_height),
    "delta-holes": change(holes),
    "delta-height-differences": change(height_differences),
    "delta-mean-height": change(mean_height),
    "removed-lines": lambda move, after: move.lines,
    "eroded-cells": lambda move, after: move.lines * move.cells_removed,
}

# ---- boards to try ---------------------------------------------------------------------------------------


def random_board(width, height, rng):
    """Cells at random below a random height for each column, from sparse to nearly full."""
    density, most = rng.random(), rng.randint(0, height)
    least = rng.choice([0, most // 2, most])
    tops = [rng.randint(least, most) for _ in range(width)]
    gaps = [rng.randrange(width) for _ in range(height)]  # no row is full
    return Board(width, height, [(x, y) for x in range(width) for y in range(tops[x])
                                 if x != gaps[y] and rng.random() < density])


def overflows(board):
    return any(y >= board.height for _, y in board.cells)


def played_boards(width, height, count, rng):
    """Boards of games whose moves are the best of a few random ones, by holes and heights."""
    board, boards = Board(width, height), []
    while len(boards) < count:
        piece, tries = rng.choice("OISZLJT"), []
        for _ in range(rng.randint(1, 5)):
            orientation = rng.randrange(ORIENTATIONS[piece])
            left = rng.randint(0, width - 1 - max(x for x, _ in shape(piece, orientation)))
            after = board.drop(piece, orientation, left)[1]
            if not overflows(after):
                tries.append(after)
        if not tries:
            board = Board(width, height)
            continue
        board = min(tries, key=lambda b: (sum(b.heights()) - len(b.cells), sum(y for _, y in b.cells)))
        if rng.randrange(height) == 0:
            boards.append(board)
    return boards


# ---- comparing -------------------------------------------------------------------------------------------


class Comparison:
    def __init__(self, program):
        self.program, self.boards, self.moves, self.values = program, 0, 0, 0

    def run(self, *arguments, text=None):
        done = subprocess.run([self.program, *arguments], input=text, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"tetralab {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def check(self, name, board, expected, found, move=None):
        same = (len(expected) == len(found) and all(abs(e - f) < 1e-9 for e, f in zip(expected, found))
                if isinstance(expected, list) else abs(expected - found) < 1e-9)
        self.values += 1
        if not same:
            sys.exit(f"{name} {'after ' + move + ' ' if move else ''}on this board of "
                     f"{board.width}x{board.height}: expected {expected}, found {found}\n{board.text()}")

    def values_of(self, boards, *arguments):
        size = f"{boards[0].width}x{boards[0].height}"
        text = "\n".join(board.text() for board in boards)
        return [json.loads(line) for line in
                self.run("features", "--boards", "-", "--board", size, *arguments, text=text).splitlines()]

    def check_boards(self, boards):
        found = self.values_of(boards)
        assert len(found) == len(boards)
        for board, values in zip(boards, found):
            unknown = set(OF_BOARD) - set(values)
            assert not unknown, f"tetralab features does not print {unknown}"
            for name, feature in OF_BOARD.items():
                self.check(name, board, feature(board), values[name])
            self.boards += 1

    def check_moves(self, board, piece):
        """All placements of the piece that stay on the board."""
        found = self.values_of([board], "--piece", piece)
        names = [f"{piece}{o}:{x}" for o in range(ORIENTATIONS[piece])
                 for x in range(board.width - max(dx for dx, _ in shape(piece, o)))]
        assert [values["move"] for values in found] == names, f"the placements of {piece} are others"
        for values in found:
            orientation, left = map(int, values["move"][1:].split(":"))
            move, after = board.drop(piece, orientation, left)
            if overflows(after):
                continue
            for name, feature in OF_MOVE.items():
                self.check(name, board, feature(move, after), values[name], values["move"])
            for name in ("column-heights", "holes", "cells", "weighted-cells"):  # the board is the same
                self.check(name, board, OF_BOARD[name](after), values[name], values["move"])
            self.moves += 1

    def boards_of_record(self, text):
        """Plays a recorded game again; every few moves its board is kept."""
        lines = [line.split() for line in text.splitlines()]
        width, height = next(map(int, words[1].split("x")) for words in lines if words[0] == "board")
        board, kept = Board(width, height), []
        end = next(words[words.index("columns") + 1] for words in lines if words[0] == "seat")
        moves = [word for words in lines if words[0] == "moves" for word in words[1:] if word != "none"]
        for number, word in enumerate(moves):
            after = board.drop(word[0], int(word[1]), int(word[3:]))[1]
            if number + 1 == len(moves) and overflows(after):
                break  # the move that ends the game
            board = after
            if number % 7 == 6:
                kept.append(board)
        columns = ",".join(f"{sum(1 << y for y in range(height) if board.filled(x, y)):x}" for x in range(width))
        assert end == columns, f"the recorded game ends with {end}, its moves with {columns}"
        return kept

    def check_games(self, seed):
        for strategy, size in (("bcts", "10x20"), ("dellacherie", "4x27"), ("fahey-1", "14x9"),
                               ("dt-10", "7x6"), ("xtris", "12x23"), ("ga-free", "9x16")):
            with tempfile.TemporaryDirectory() as folder:
                path = folder + "/game"
                self.run("play", strategy, "--board", size, "--games", "1", "--max-pieces", "400", "--seed",
                         str(seed), "--record", path)
                with open(path) as record:
                    boards = self.boards_of_record(record.read())
            if boards:
                self.check_boards(boards)


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    boards_a_size = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    print(f"seed {seed}")
    rng, comparison = random.Random(seed), Comparison(program)
    for width in WIDTHS:
        for height in HEIGHTS:
            boards = [random_board(width, height, rng) for _ in range(boards_a_size // 2)]
            boards += played_boards(width, height, boards_a_size - len(boards), rng)
            comparison.check_boards(boards)
            comparison.check_moves(boards[-1], rng.choice("OISZLJT"))
    comparison.check_games(seed)
    print(f"{comparison.boards} boards and {comparison.moves} moves: {comparison.values} values are equal")


if __name__ == "__main__":
    main()
