#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a folder of IOHprofiler's files as their description says, and compares it with what was scored.

Usage: read_iohprofiler.py FOLDER [--journal JOURNAL] [--answers FILE...]
JOURNAL is the journal.jsonl of a learning run; FILE has the answers of tetralab evaluate, in the order of the requests.
Prints the number of runs and rows; exits with 1 and a sentence where something is wrong. With the package iohinspector,
its reader must find the same numbers.
"""
import argparse
import glob
import json
import os
import sys

arguments = argparse.ArgumentParser()
arguments.add_argument("folder")
arguments.add_argument("--journal")
arguments.add_argument("--answers", nargs="*")
arguments = arguments.parse_args()


def fail(text):
    sys.exit(f"{arguments.folder}: {text}")


def read_blocks(path):
    """A block begins with a line that has no number: the names of the columns."""
    blocks = []
    with open(path) as lines:
        for line in lines:
            words = line.split()
            if words[0] == "evaluations":
                blocks.append((words, []))
            else:
                blocks[-1][1].append([float(word) for word in words])
    return blocks


def expected():
    """(score, samples, pieces) of every evaluation of every run, from the program's other output."""
    if arguments.journal:
        runs = {}
        for line in open(arguments.journal):
            line = json.loads(line)
            rows = zip(line["scores"], line["score_samples"], line["score_pieces"])
            runs.setdefault(line["run"], []).extend(rows)
        return [runs[number] for number in sorted(runs)]
    runs = []
    for name in arguments.answers or []:
        answers = [json.loads(line) for line in open(name)]
        runs.append([(a["score"], len(a["samples"]), a["pieces"]) for a in answers if "score" in a])
    return runs


index = glob.glob(os.path.join(arguments.folder, "**", "*.json"), recursive=True)
if len(index) != 1 or not os.path.basename(index[0]).startswith("IOHprofiler_f"):
    fail(f"there should be one JSON file, there are {index}.")
data = json.load(open(index[0]))
for key, kind in {"version": str, "suite": str, "function_id": int, "function_name": str, "maximization": bool,
                  "algorithm": dict, "attributes": list, "scenarios": list}.items():
    if not isinstance(data.get(key), kind):
        fail(f"{key} is {data.get(key)!r}.")
if not data["maximization"]:
    fail("scores are maximised.")
if tuple(map(int, data["version"].split("."))) < (0, 3, 3):
    fail("readers take versions below 0.3.3 for the old format.")
total, found = 0, []
for scenario in data["scenarios"]:
    blocks = read_blocks(os.path.join(arguments.folder, scenario["path"]))
    if len(blocks) != len(scenario["runs"]):
        fail(f"{len(blocks)} blocks, {len(scenario['runs'])} runs.")
    for run, (columns, rows) in zip(scenario["runs"], blocks):
        if columns[:3] != ["evaluations", "raw_y", "raw_y_best"] or columns != data["attributes"]:
            fail(f"the columns are {columns}.")
        if [row[0] for row in rows] != list(range(1, len(rows) + 1)) or run["evals"] != len(rows):
            fail("evaluations are not 1, 2, ... up to evals.")
        best = max(row[1] for row in rows)
        if [row[2] for row in rows] != [max(r[1] for r in rows[: k + 1]) for k in range(len(rows))]:
            fail("raw_y_best is not the largest raw_y so far.")
        if run["best"]["y"] != best or rows[run["best"]["evals"] - 1][1] != best:
            fail(f"the best is {best}, not {run['best']}.")
        if len(run["best"]["x"]) != scenario["dimension"] or set(run["best"]) != {"evals", "y", "x"}:
            fail("the best vector has not as many numbers as the dimension.")
        found.append([(row[1], row[3] - before[3], row[4] - before[4])
                      for before, row in zip([[0] * 5] + rows, rows)])
        total += len(rows)
for number, (a, b) in enumerate(zip(found, expected()), 1):
    if [tuple(map(float, row)) for row in a] != [tuple(map(float, row)) for row in b]:
        fail(f"run {number} is not what was scored.")
if len(expected()) not in (0, len(found)):
    fail(f"{len(found)} runs, {len(expected())} expected.")

try:
    import iohinspector
except ImportError:
    iohinspector = None
if iohinspector:
    manager = iohinspector.DataManager()
    manager.add_folder(arguments.folder)
    table = manager.load(monotonic=False)
    theirs = [(int(e), y) for e, y in zip(table["evaluations"], table["raw_y"])]
    ours = [(k + 1, row[0]) for rows in found for k, row in enumerate(rows)]
    if theirs != ours or len(manager.overview) != len(found):
        fail("iohinspector reads other numbers.")
print(f"{len(found)} runs, {total} rows{', also by iohinspector' if iohinspector else ''}")
