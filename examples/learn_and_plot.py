# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns a player, measures it against published ones, and plots both: a notebook in one file (%% begins a cell).

Usage: python learn_and_plot.py [PICTURE] [BOARD] [GENERATIONS]
"""

# %% Settings
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np
import tetralab

picture = sys.argv[1] if len(sys.argv) > 1 else "learned.png"
board = sys.argv[2] if len(sys.argv) > 2 else "10x10"
generations = int(sys.argv[3]) if len(sys.argv) > 3 else 40

# %% Learn: the weights of Dellacherie's six features, by CMA-ES; three runs
learned = tetralab.learn(board, features="dellacherie", generations=generations, runs=3, seed=1)
print(learned.strategy)

# %% The runs as columns: generation by generation
runs = range(len(learned.runs))
curves = [[(one.generation, one.curve) for one in learned.generations if one.run == run] for run in runs]

# %% Measure the player that was learned, beside published ones
names = ["fahey-1", "dellacherie", "bcts"]
measured = [tetralab.measure(name, board, precision=0.05) for name in [*names, learned.strategy]]
for one in measured:
    print(one)

# %% Plot
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), constrained_layout=True)
for run, curve in enumerate(curves):
    steps, scores = np.array(curve).T
    left.plot(steps, np.exp(scores), label=f"run {run + 1}")
left.set(
    xlabel="generation", ylabel="mean lines of the mean vector", yscale="log", title=f"learning on {board}"
)
left.legend()
labels = [*names, "learned here"]
means = np.array([one.mean_lines for one in measured])
low, high = np.array([one.ci95 for one in measured]).T
right.errorbar(means, range(len(labels)), xerr=[means - low, high - means], fmt="o", capsize=4)
right.set(xlabel="mean lines, 95 % interval", xscale="log", title=f"measured on {board}")
right.set_yticks(range(len(labels)), labels)
right.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
right.xaxis.set_major_formatter("{x:,.0f}")
right.xaxis.set_minor_formatter("")
right.grid(axis="x", which="both", alpha=0.3)
figure.savefig(picture, dpi=120)
print(f"The picture is in {picture}.")
