#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot of the Tetris Bot Protocol for tests: good, or bad in the one way that its argument names.

Usage: scripted.py KIND [FILE]      FILE: its process number is written there
The good one drops the piece in hand as far down as it can, in its first orientation, leftmost first. It keeps the
board by "play" alone and asks for nothing else, so that a front end that tells moves wrongly is found out.
"""
import json
import os
import sys
import time

kind = sys.argv[1]
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as out:
        out.write(str(os.getpid()))

NORTH = {"O": [(0, 0), (1, 0), (0, 1), (1, 1)], "I": [(-1, 0), (0, 0), (1, 0), (2, 0)],
         "S": [(-1, 0), (0, 0), (0, 1), (1, 1)], "Z": [(-1, 1), (0, 1), (0, 0), (1, 0)],
         "L": [(-1, 0), (0, 0), (1, 0), (1, 1)], "J": [(-1, 1), (-1, 0), (0, 0), (1, 0)],
         "T": [(-1, 0), (0, 0), (1, 0), (0, 1)]}
TURNS = ["north", "east", "south", "west"]


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def cells(location):
    around = NORTH[location["type"]]
    for _ in range(TURNS.index(location["orientation"])):
        around = [(y, -x) for x, y in around]
    return [(location["x"] + x, location["y"] + y) for x, y in around]


def fits(board, location):
    return all(0 <= x < 10 and 0 <= y < 40 and board[y][x] is None for x, y in cells(location))


def drop(board, piece):
    """The lowest straight drop in the north."""
    best = None
    for x in range(10):
        location = {"type": piece, "orientation": "north", "x": x, "y": 37}
        if not fits(board, location):
            continue
        while fits(board, dict(location, y=location["y"] - 1)):
            location["y"] -= 1
        if best is None or location["y"] < best["y"]:
            best = location
    return best


def put(board, location):
    for x, y in cells(location):
        assert board[y][x] is None, "the front end plays on filled cells"
        board[y][x] = "G"
    rows = [row for row in board if None in row]
    board[:] = rows + [[None] * 10 for _ in range(40 - len(rows))]


def wrong(location, queue):
    """What a bad bot suggests instead."""
    if kind == "spin":
        return {"location": location, "spin": "full"}
    if kind == "floats":
        return {"location": dict(location, y=location["y"] + 3), "spin": "none"}
    if kind == "outside":
        return {"location": dict(location, x=12), "spin": "none"}
    if kind == "buried":
        return {"location": dict(location, y=-1), "spin": "none"}
    if kind == "slides":  # under the roof of a cell that the test puts there
        return {"location": {"type": "O", "orientation": "north", "x": 0, "y": 0}, "spin": "none"}
    if kind == "hold":
        other = next(piece for piece in "OISZLJT" if piece != location["type"])
        return {"location": dict(location, type=other), "spin": "none"}
    if kind == "nonsense":
        return {"location": {"type": "Q"}, "spin": 3}
    return {"location": location, "spin": "none"}


def main():
    if kind == "silent":
        time.sleep(1000)
    if kind == "garbage":
        print("hello, I am a bot", flush=True)
    if kind == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    if kind == "chatter":
        while True:
            say({"type": "thoughts", "text": "x" * 1000})
    if kind == "dies-at-once":
        sys.exit(3)
    say({"type": "info", "name": kind, "version": "1", "author": "test", "features": [], "unknown": {"a": [1]}})
    board, queue, asked = None, [], 0
    for line in sys.stdin:
        message = json.loads(line)
        what = message["type"]
        if what == "rules":
            say({"type": "some new message"})
            say({"type": "error", "reason": "unsupported_rules"} if kind == "refuses" else {"type": "ready"})
        elif what == "start":
            board, queue = message["board"], message["queue"]
            assert len(board) == 40 and all(len(row) == 10 for row in board)
            assert message["hold"] == (queue[0] if kind == "holds" else None)
        elif what == "suggest":
            asked += 1
            if kind == "dies" and asked == 5:
                os._exit(1)
            if kind == "stalls" and asked == 5:
                time.sleep(1000)
            if kind == "deaf":
                continue
            location = drop(board, queue[0])
            moves = [wrong(location, queue)] if location else []
            if kind == "second":  # the first one is not possible here, the second is
                moves = [{"location": location, "spin": "mini"}] + moves
            if kind == "gives-up" and asked == 5:
                moves = []
            say({"type": "suggestion"} if kind == "no-moves" else {"type": "suggestion", "moves": moves})
        elif what == "play":
            put(board, message["move"]["location"])
            queue.pop(0)
        elif what == "new_piece":
            queue.append(message["piece"])
        elif what == "quit":
            return
    if kind == "lives-on":
        time.sleep(1000)


main()
