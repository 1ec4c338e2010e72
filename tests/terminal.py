# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal for tests: a program in a pseudo-terminal, and what its screen shows.

The screen understands what ncurses writes for TERM=xterm-256color. Nothing sleeps: `until` reads what the program writes
until the screen is as wanted, or fails after a deadline.
"""
import atexit
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time


class Screen:
    """Characters, each with its foreground, background and attributes."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.alternate = False
        self.clear()
        self.x = self.y = 0
        self.pen = (None, None, frozenset())
        self.rest = ""

    def clear(self):
        self.region = (0, self.rows)
        self.cells = [[(" ", None, None, frozenset())] * self.columns for _ in range(self.rows)]

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.clear()
        # What was written for the old size may still come: it stays inside, as in any terminal.
        self.x, self.y = min(self.x, columns - 1), min(self.y, rows - 1)

    def text(self):
        return "\n".join("".join(cell[0] for cell in row).rstrip() for row in self.cells)

    def put(self, character):
        if self.x >= self.columns:
            self.x, self.y = 0, min(self.y + 1, self.rows - 1)
        self.cells[self.y][self.x] = (character, *self.pen)
        self.x += 1

    def erase(self, y, first, last):
        for x in range(max(first, 0), min(last, self.columns)):
            self.cells[y][x] = (" ", None, self.pen[1], frozenset())

    def scroll(self, lines, up, top):
        end = self.region[1]
        part, blank = self.cells[top:end], [[(" ", None, None, frozenset())] * self.columns for _ in range(lines)]
        self.cells[top:end] = (part + blank)[lines:] if up else (blank + part)[: end - top]

    def colours(self, numbers):
        front, back, styles = self.pen
        i = 0
        while i < len(numbers):
            n = numbers[i]
            if n == 0:
                front, back, styles = None, None, frozenset()
            elif n in (1, 2, 7):
                styles = styles | {n}
            elif n == 22:
                styles = styles - {1, 2}
            elif n == 27:
                styles = styles - {7}
            elif 30 <= n <= 37 or 90 <= n <= 97:
                front = n - 30 if n < 90 else n - 82
            elif 40 <= n <= 47 or 100 <= n <= 107:
                back = n - 40 if n < 100 else n - 92
            elif n == 39:
                front = None
            elif n == 49:
                back = None
            elif n in (38, 48) and numbers[i + 1 : i + 2] == [5]:
                front, back = (numbers[i + 2], back) if n == 38 else (front, numbers[i + 2])
                i += 2
            else:
                raise ValueError(f"unknown colour {numbers}")
            i += 1
        self.pen = (front, back, styles)

    def control(self, private, numbers, final):
        n = numbers[0] if numbers else 0
        one = max(n, 1)
        if private:
            if n in (1049, 47, 1047):
                self.alternate = final == "h"
        elif final in "Hf":
            self.y = min(one, self.rows) - 1
            self.x = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif final == "m":
            self.colours(numbers or [0])
        elif final == "A":
            self.y = max(self.y - one, 0)
        elif final == "B":
            self.y = min(self.y + one, self.rows - 1)
        elif final == "C":
            self.x = min(self.x + one, self.columns - 1)
        elif final == "D":
            self.x = max(self.x - one, 0)
        elif final == "G":
            self.x = min(one, self.columns) - 1
        elif final == "d":
            self.y = min(one, self.rows) - 1
        elif final == "K":
            self.erase(self.y, 0 if n else self.x, self.x + 1 if n == 1 else self.columns)
        elif final == "X":
            self.erase(self.y, self.x, self.x + one)
        elif final == "J":
            if n == 0:
                self.erase(self.y, self.x, self.columns)
            for y in range(self.y + 1 if n == 0 else 0, self.rows):
                self.erase(y, 0, self.columns)
        elif final == "P":
            row = self.cells[self.y]
            self.cells[self.y] = row[: self.x] + row[self.x + one :] + [(" ", None, None, frozenset())] * one
            self.cells[self.y] = self.cells[self.y][: self.columns]
        elif final == "@":
            row = self.cells[self.y]
            self.cells[self.y] = (row[: self.x] + [(" ", None, None, frozenset())] * one + row[self.x :])[: self.columns]
        elif final == "b":
            for _ in range(one):
                self.put(self.cells[self.y][self.x - 1][0])
        elif final == "r":
            self.region = (min(one, self.rows) - 1, min(numbers[1] if len(numbers) > 1 else self.rows, self.rows))
            self.x = self.y = 0
        elif final in "STLM":
            self.scroll(one, up=final in "SM", top=self.region[0] if final in "ST" else self.y)
        elif final not in "hlnt":
            raise ValueError(f"unknown control sequence {private}{numbers}{final}")

    token = re.compile(r"\x1b\[([?>]?)([0-9;]*)([A-Za-z@])|\x1b[()][A-Z0-9]|\x1b[=>78M]|\x1b\][^\x07]*\x07|([^\x1b])", re.S)

    def feed(self, data):
        text, at = self.rest + data, 0
        while at < len(text):
            found = self.token.match(text, at)
            if not found:
                if len(text) - at > 64:
                    raise ValueError(f"unknown sequence {text[at:at + 20]!r}")
                break
            at = found.end()
            if found[3]:
                self.control(found[1], [int(n or 0) for n in found[2].split(";")] if found[2] else [], found[3])
            elif found[0] == "\x1bM" and self.y == self.region[0]:
                self.scroll(1, False, self.region[0])
            elif found[0] == "\x1bM":
                self.y -= 1
            elif found[4] == "\r":
                self.x = 0
            elif found[4] == "\n":
                if self.y + 1 == self.region[1]:
                    self.scroll(1, True, self.region[0])
                else:
                    self.y = min(self.y + 1, self.rows - 1)
            elif found[4] == "\b":
                self.x = max(self.x - 1, 0)
            elif found[4] and found[4] >= " ":
                self.put(found[4])
        self.rest = text[at:]


class Terminal:
    """A program in a terminal of its own."""

    deadline = 60  # seconds; a machine may be busy

    def __init__(self, arguments, columns=80, rows=24, **environment):
        self.master, self.slave = pty.openpty()
        self.screen = Screen(columns, rows)
        self.size(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.written = b""
        self.tail = b""
        self.events, report = os.pipe()
        if os.fork() == 0:
            self.shell(report, arguments, environment)
        os.close(report)
        self.pid = struct.unpack("q", os.read(self.events, 8))[0]
        self.open = True
        atexit.register(self.kill)

    def kill(self):
        """A test that fails leaves no program behind, which would keep its output open."""
        if self.open:
            os.kill(self.pid, signal.SIGKILL)

    def shell(self, report, arguments, environment):
        """What a shell does: starts the program in the foreground of a new session, reports when it stops or ends."""
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            for file in range(3):
                os.dup2(self.slave, file)
            os.closerange(3, 64)
            variables = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
            variables.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, **environment)
            os.execve(arguments[0], arguments, variables)
        os.write(report, struct.pack("q", pid))
        while True:
            status = os.waitpid(pid, os.WUNTRACED)[1]
            os.write(report, struct.pack("q", status))
            if not os.WIFSTOPPED(status):
                os._exit(0)

    def size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.size(columns, rows)  # the kernel tells the program

    def press(self, keys):
        names = {"left": "\x1bOD", "right": "\x1bOC", "up": "\x1bOA", "down": "\x1bOB"}
        os.write(self.master, names.get(keys, keys).encode())

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        data = os.read(self.master, 65536)
        self.written += data
        self.tail += data
        good = self.tail.decode(errors="ignore")
        end = len(good.encode())
        self.screen.feed(good)
        self.tail = self.tail[end:]
        return True

    def until(self, wanted):
        """Reads until the text of the screen matches, or fails."""
        end = time.monotonic() + self.deadline
        while not re.search(wanted, self.screen.text(), re.S):
            if not self.read(max(0, end - time.monotonic())):
                raise AssertionError(f"{wanted!r} never appears:\n{self.screen.text()}")
        return self.screen.text()

    def end(self):
        """Waits until the program stops or ends. <- how, as waitpid says"""
        end = time.monotonic() + self.deadline
        while True:
            ready = select.select([self.master, self.events], [], [], max(0, end - time.monotonic()))[0]
            if self.events in ready:
                while self.read(0):
                    pass
                return struct.unpack("q", os.read(self.events, 8))[0]
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"the program does not end\n{self.screen.text()}")
            self.read(0)

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before and not self.screen.alternate

    def close(self):
        os.wait()
        self.open = False
        for file in self.master, self.slave, self.events:
            os.close(file)
