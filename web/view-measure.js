// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring: the mean lines of a player, with a 95 % interval that becomes narrower while one looks. Strong players
// are measured by splitting: their games would take years.
import {element, replace, count, rounded, duration} from "./dom.js";
import {Engine} from "./calls.js";
import {drawChart, spanOf} from "./chart.js";
import {strategyField, strategyObject, boardField, piecesField, rulesOf} from "./strategies.js";
import {sizeOf, strategyOf, strategyText, wholeOf, writeAddress} from "./state.js";

const PRECISIONS = [["20", "±20 %"], ["10", "±10 %"], ["5", "±5 %"], ["2", "±2 %"]];
const METHODS = {splitting: "multilevel splitting", games: "whole games"};

export const measureView = {
    name: "measure",
    title: "Measure",
    create(root, page, values) {
        return new Measure(root, page, values);
    },
};

class Measure {
    constructor(root, page, values) {
        Object.assign(this, {root, page, alive: true, told: [], running: false});
        this.settings = {board: sizeOf(values.board, "10x16"), pieces: values.pieces || "uniform", precision: values.precision || "10",
            seed: wholeOf(values.seed, 1)};
        this.strategy = strategyOf(values.s) || "bcts";
        this.engine = new Engine(); // of its own: it is busy for long
        this.build();
        this.onResize = () => this.draw();
        window.addEventListener("resize", this.onResize);
        this.draw();
        if (values.go === "1")
            this.start();
    }

    build() {
        this.mean = element("div", {class: "big", id: "mean"}, "–");
        this.interval = element("div", {class: "big", style: "font-weight:500"}, "–");
        this.effort = element("div", {class: "big", style: "font-weight:500"}, "–");
        this.sentence = element("p", {class: "faint", role: "status"},
            "Press Measure. A short run first looks at the player; then the interval appears and becomes narrower.");
        this.chart = element("canvas", {class: "chart"});
        this.bar = element("progress", {max: 1, value: 0, "aria-label": "How far it is"});
        this.button = element("button", {class: "main", onclick: () => (this.running ? this.stop() : this.start())}, "Measure");
        const precision = element("select", {"aria-label": "Precision", onchange: () => this.set({precision: precision.value})},
            PRECISIONS.map(([value, text]) => element("option", {value, selected: value === this.settings.precision}, text)));
        const seed = element("input", {type: "number", min: 0, max: 1e9, value: this.settings.seed,
            onchange: () => this.set({seed: Math.max(0, Math.floor(Number(seed.value)) || 0)})});
        replace(this.root, element("div", {class: "lead"}, element("h1", {}, "How good is it?"),
            element("p", {}, "The mean lines of a game, and how well it is known.")),
            element("div", {class: "columns measure"},
                element("section", {class: "panel fields"},
                    strategyField(this.page, "Player", this.strategy, (strategy) => {
                        this.strategy = strategy;
                        this.set({});
                    }).root,
                    boardField(this.settings.board, (board) => this.set({board})),
                    piecesField(this.settings.pieces, (pieces) => this.set({pieces})),
                    element("label", {class: "field"}, "Wanted precision", precision),
                    element("label", {class: "field"}, "Seed", seed), this.button, this.bar),
                element("section", {class: "panel"},
                    element("div", {class: "answer"},
                        element("div", {}, element("span", {}, "mean lines of a game"), this.mean),
                        element("div", {}, element("span", {}, "95 % interval"), this.interval),
                        element("div", {}, element("span", {}, "pieces played for it"), this.effort)),
                    element("div", {}, this.chart), element("div", {class: "legend"},
                        element("span", {}, element("i", {style: "background:var(--accent)"}), "mean so far"),
                        element("span", {}, element("i", {style: "background:var(--accent);opacity:0.3"}), "95 % interval")),
                    this.sentence)));
    }

    set(changes) {
        Object.assign(this.settings, changes);
        this.stop();
        this.told = [];
        this.draw();
        this.remember();
    }

    stop() {
        if (!this.running)
            return;
        this.engine.stop();
        this.running = false;
        this.button.textContent = "Measure";
        this.sentence.textContent = "Stopped. What is shown is known by now.";
    }

    async start() {
        this.told = [];
        this.running = true;
        this.button.textContent = "Stop";
        this.sentence.textContent = "A short run looks at how the player spends its time…";
        this.page.tell(null);
        this.draw();
        this.remember();
        try {
            const result = await this.engine.ask({do: "measure", strategy: strategyObject(this.page.about, this.strategy),
                rules: rulesOf(this.settings), precision: Number(this.settings.precision), seed: this.settings.seed}, (told) => this.take(told));
            this.take({...result, wanted: result.count});
            this.root.dataset.done = "1";
            const whole = (result.mean * Number(this.settings.board.split("x")[0]) / 4) * 1540; // 1,540 games for 5 %
            this.sentence.textContent = `Done by ${METHODS[result.method]} in ${duration(result.seconds)}. ` + (result.method === "splitting" ?
                `To know it to 5 % by whole games, about ${rounded(whole)} pieces would have to be played.` : "") +
                (result.note ? ` ${result.note}` : "");
        } catch (error) {
            if (this.alive)
                this.page.tell(error);
        }
        this.running = false;
        this.button.textContent = "Measure again";
    }

    take(told) {
        this.told.push(told);
        const names = {splitting: "repetitions of splitting", games: "games"};
        if (this.running)
            this.sentence.textContent = `${told.count.toLocaleString("en")} ${names[told.method]}` +
                (told.wanted > told.count ? ` of about ${told.wanted.toLocaleString("en")}` : "");
        this.bar.value = told.wanted ? Math.min(1, told.count / told.wanted) : 0;
        this.draw();
    }

    draw() {
        if (!this.alive)
            return;
        const last = this.told[this.told.length - 1];
        this.mean.textContent = last ? rounded(last.mean) : "–";
        this.interval.textContent = last && last.low !== null ? `${rounded(last.low)} to ${rounded(last.high)}` : "–";
        this.effort.textContent = last ? count(last.pieces) : "–";
        // The first intervals may be huge, or have no end: the picture is of where it settles.
        const known = this.told.filter((each) => each.mean !== null && each.low !== null);
        const settled = known.slice(Math.floor(known.length / 6));
        const top = Math.max(...settled.map((each) => (each.high === null ? each.mean * 2 : Math.min(each.high, each.mean * 2.5))), 1);
        const values = settled.flatMap((each) => [each.low, Math.min(each.high ?? top, top)]);
        drawChart(this.chart, 320, {x: [0, Math.max(1, last ? Math.max(last.count, last.wanted || 0) : 1)],
            y: known.length ? spanOf(values) : [0, 1], yTitle: "mean lines", xTitle: last?.method === "games" ? "games" : "repetitions",
            bands: [{colour: "accent", points: known.map((each) => [each.count, each.low, Math.min(each.high ?? 1e300, top * 3)])}],
            lines: [{colour: "accent", points: known.map((each) => [each.count, each.mean])}]});
    }

    values() {
        return {s: strategyText(this.strategy), ...this.settings, go: this.told.length ? 1 : undefined};
    }

    remember() {
        if (this.alive)
            writeAddress("measure", () => this.values());
    }

    leave() {
        this.alive = false;
        this.engine.worker.terminate();
        window.removeEventListener("resize", this.onResize);
    }
}
