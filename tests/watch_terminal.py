# SPDX-License-Identifier: GPL-3.0-or-later
"""tetralab watch in a terminal: what is on the screen, what keys and signals do, and what they leave behind.

Usage: watch_terminal.py PROGRAM FOLDER     (FOLDER: for files)
"""
import json
import os
import re
import signal
import subprocess
import sys

from terminal import Terminal

program, folder = sys.argv[1:]
checks = 0


def check(what, good, terminal=None):
    global checks
    checks += 1
    if not good:
        sys.exit(f"FAILED: {what}\n{terminal.screen.text() if terminal else ''}")


def watch(*arguments, columns=80, rows=24, **environment):
    return Terminal([program, "watch", *arguments], columns, rows, **environment)


def board_of(text):
    """The rows of the first board."""
    return [line[:22] for line in text.split("\n")[1:21]]


def quit_all(terminal, what):
    terminal.press("q")
    status = terminal.end()
    check(f"{what}: exit 0 after q", os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, terminal)
    check(f"{what}: the terminal is as it was", terminal.is_restored(), terminal)
    terminal.close()


# A page in the terminal is the page that is printed.
t = watch("bcts", "--at", "30")
shown = t.until(r"move 30 of 30 .*paused.*quit")
printed = subprocess.run([program, "watch", "bcts", "--at", "30", "--frames", "1"], stdout=subprocess.PIPE, text=True,
                         env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
check("the boards are the same", board_of(shown) == board_of(printed), t)
check("no control characters in plain text", not re.search(r"[\x00-\x09\x0b-\x1f]", printed))
check("ranked moves and features", "▸" in shown and "rows-with-holes" in shown and "x" in shown, t)
check("colours", b"48;5;" in t.written)

# Steps, back and forth.
t.press("right")
second = t.until("move 31 of 31")
check("another board", board_of(second) != board_of(shown), t)
t.press("left")
check("back is the board before", board_of(t.until("move 30 of 31")) == board_of(shown), t)
t.press("n")
check("and forward again", board_of(t.until("move 31 of 31")) == board_of(second), t)
t.press("g")
t.until("move 0 of 31")
t.press("G")
t.until("move 31 of 31")
t.press("d")
highest = re.search(r"highest (\d+) in move (\d+)", t.until("highest"))
check("the most dangerous moment", f"pile {highest[1]}," in t.until(f"move {highest[2]} of 31"), t)
t.press("?")
t.until("one move back or forward.*Any key goes back")
t.press("x")
t.until("paused")
t.press("+")
t.until("speed 10/s")
t.press("-")
t.until("speed 5/s")
t.press("G")
t.until("move 31 of 31")
t.press(" ")
t.until(r"move (3[3-9]|[4-9]\d|\d{3,}) of")
t.press(" ")
t.until("paused")

# Any size.
t.resize(120, 40)
t.until("quit")
t.resize(60, 24)
t.until("move .* of ")
t.resize(10, 5)
t.until(r"10x20\s+needs at\s+least 12")
t.resize(80, 24)
t.until("rows-with-holes.*quit")

# Stopped and continued.
os.kill(t.pid, signal.SIGTSTP)
check("it stops", os.WIFSTOPPED(t.end()))
check("the shell has its terminal", t.is_restored(), t)
t.screen.clear()
os.kill(t.pid, signal.SIGCONT)
t.until("rows-with-holes.*paused.*quit")
check("it goes on in the whole terminal", t.screen.alternate and not t.is_restored())
quit_all(t, "steps")

# Signals.
for name in "TERM", "HUP", "INT", "SEGV", "ABRT":
    t = watch("bcts", "--at", "3")
    t.until("paused.*quit")
    os.kill(t.pid, getattr(signal, "SIG" + name))
    status = t.end()
    ends = os.WTERMSIG(status) == getattr(signal, "SIG" + name) if name in ("SEGV", "ABRT") else status == 0
    check(f"SIG{name} ends it", ends or ("asan" in program and status), t)
    check(f"SIG{name}: the terminal is as it was", t.is_restored(), t)
    t.close()

# Without colours, and in plain ASCII.
t = watch("bcts", "--at", "30", NO_COLOR="1", LC_ALL="C")
t.until(r"\[\].*paused.*quit")
check("NO_COLOR", not re.search(rb"\x1b\[[0-9;]*(3[0-7]|4[0-7]|[34]8;5)[;m]", t.written), t)
check("ASCII", t.screen.text().isascii(), t)
quit_all(t, "NO_COLOR")
t = watch("bcts", TERM="dumb")
check("a terminal without pages", t.end() != 0 and b"--frames" in t.written, t)
t.close()

# Two strategies side by side, a match, a record.
t = watch("bcts", "dellacherie", "--at", "20")
t.until(r"bcts .*dellacherie.*move 20 of 20")
t.press("\t")
t.until("dellache")
quit_all(t, "side by side")
t = watch("bcts", "fahey", "--versus", "--at", "60", "--record", os.path.join(folder, "match"))
t.until(r"sent got.*▒▒.*move 60 of 60")
quit_all(t, "a match")
t = watch("dellacherie", "--replay", os.path.join(folder, "match"))
t.until(r"move \d+ of 60")
t.press("G")
t.until("move 60 of 60 .*the record stops here")
quit_all(t, "a record")

# A human, alone: four O pieces beside each other, and so on.
pieces = os.path.join(folder, "pieces")
with open(pieces, "w") as out:
    out.write("OOOOO")
t = watch("human", "--board", "6x8", "--pieces", pieces, "--record", os.path.join(folder, "mine"))
text = t.until("move 0 of 0.*drop")
check("the piece hangs in the middle", "│    OOOO    │" in text.replace("·", " "), t)
check("and its place is shown", "░░░░" in text, t)
t.press("h")
t.press("h")
t.press("h")
check("the wall", "│OOOO        │" in t.until("│OOOO").replace("·", " "), t)
t.press(" ")
t.until("move 1 of 1")
t.press("l")
t.press("l")
t.press("down")
t.until("move 2 of 2")
t.press(" ")
text = t.until("move 3 of 3")
check("two rows are gone", "lines 2" in text and "██" not in "\n".join(l[:14] for l in text.split("\n")), t)
t.press("b")
t.until("move 2 of 3")
t.press("G")
t.until("move 3 of 3.*drop")
quit_all(t, "a human")
again = subprocess.run([program, "play", "--replay", os.path.join(folder, "mine")], stdout=subprocess.PIPE, text=True)
check("the record of a human", again.returncode == 0 and "human" in again.stdout and "lines   2" in again.stdout)

# A human against a strategy.
t = watch("human", "bcts", "--record", os.path.join(folder, "ours"))
t.until("human .*bcts.*move 0 of 0.*drop")
t.press(" ")
t.until("move 1 of 1")
t.press("k")
t.press(" ")
t.until("move 2 of 2")
quit_all(t, "a human's match")
again = subprocess.run([program, "versus", "--replay", os.path.join(folder, "ours")], stdout=subprocess.PIPE, text=True)
check("the record of a human's match", again.returncode == 0 and "1 human" in again.stdout)

# A bot that fails in the middle of a game: the sentence stands in the terminal as it was before.
with open(os.path.join(folder, "failing.json"), "w") as out:
    bot = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bots/scripted.py")
    json.dump({"player": "tbp", "command": [bot, "dies"], "start-limit": 60}, out)
t = watch(os.path.join(folder, "failing.json"), "--speed", "1000")
status = t.end()
check("a bot that fails", os.WIFEXITED(status) and os.WEXITSTATUS(status) == 1, t)
check("a bot that fails: the terminal is as it was", t.is_restored(), t)
check("a bot that fails: why", b"the bot ended" in t.written, t)
t.close()

print(f"{checks} checks in the terminal.")
