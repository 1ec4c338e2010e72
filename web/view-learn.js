// SPDX-License-Identifier: GPL-3.0-or-later
// Learning: CMA-ES finds the weights of a small player while one looks. Every dot is a candidate; the line is the
// player so far, and on the board it plays.
import {element, replace, count, rounded, figure, duration} from "./dom.js";
import {Engine} from "./calls.js";
import {drawBoard, fittingCell} from "./board.js";
import {drawChart, spanOf} from "./chart.js";
import {boardField, rulesOf} from "./strategies.js";
import {sizeOf, wholeOf, writeAddress} from "./state.js";

const SETS = [["du", "eight: those of bcts"], ["dellacherie", "six: Dellacherie's"], ["holes,landing-height", "two: holes, landing height"]];
const TIMES = [["10", "10 s"], ["20", "20 s"], ["60", "1 min"], ["300", "5 min"]];
const METHODS = [["cmaes", "CMA-ES"], ["nce", "cross-entropy"]];
const MOVES = 9; // a second, on the board that shows the player so far
const MOST_DOTS = 4000;

export const learnView = {
    name: "learn",
    title: "Learn",
    create(root, page, values) {
        return new Learn(root, page, values);
    },
};

class Learn {
    constructor(root, page, values) {
        Object.assign(this, {root, page, alive: true, running: false, told: [], position: null});
        this.settings = {board: sizeOf(values.board, "10x10"), features: values.features || "du", time: values.time || "20",
            method: values.method || "cmaes", seed: wholeOf(values.seed, 1)};
        this.axes = [wholeOf(values.x, 0, 1000), wholeOf(values.y, 1, 1000)];
        this.engine = new Engine(); // of its own: it is busy for long
        this.build();
        this.onResize = () => this.draw();
        window.addEventListener("resize", this.onResize);
        this.timer = setInterval(() => this.playOn(), 1000 / MOVES);
        this.draw();
        if (values.go === "1")
            this.start();
    }

    // ---- the page

    field(label, pairs, name) {
        const select = element("select", {"aria-label": label, onchange: () => this.set({[name]: select.value})},
            pairs.map(([value, text]) => element("option", {value, selected: value === this.settings[name]}, text)));
        return element("label", {class: "field"}, label, select);
    }

    build() {
        this.button = element("button", {class: "main", onclick: () => (this.running ? this.stop() : this.start())}, "Learn");
        this.bar = element("progress", {max: 1, value: 0, "aria-label": "How far it is"});
        this.lines = element("div", {class: "big", id: "lines"}, "–");
        this.generation = element("div", {class: "big", style: "font-weight:500"}, "–");
        this.played = element("div", {class: "big", style: "font-weight:500"}, "–");
        this.sentence = element("p", {class: "faint", role: "status"}, "Press Learn: from weights of zero, in a few seconds.");
        this.curve = element("canvas", {class: "chart"});
        this.cloud = element("canvas", {class: "chart"});
        this.board = element("canvas", {class: "gameboard"});
        this.boardText = element("p", {class: "small faint"}, "its game");
        this.bars = element("div", {class: "bars"});
        this.axisX = element("select", {"aria-label": "Weight to the right", onchange: () => this.setAxes()});
        this.axisY = element("select", {"aria-label": "Weight upwards", onchange: () => this.setAxes()});
        this.axisRow = element("div", {class: "row small", style: "margin-top:0.5rem", hidden: true}, "right:", this.axisX, "up:", this.axisY);
        this.after = element("div", {class: "row", hidden: true},
            element("button", {onclick: () => this.page.open("watch", {s: this.strategyText(), board: this.settings.board})}, "Watch it"),
            element("button", {onclick: () => this.page.open("measure", {s: this.strategyText(), board: this.settings.board, go: 1})}, "Measure it"),
            element("button", {onclick: () => this.save()}, "Save as a file"));
        const seed = element("input", {type: "number", min: 0, max: 1e9, value: this.settings.seed,
            onchange: () => this.set({seed: Math.max(0, Math.floor(Number(seed.value)) || 0)})});
        replace(this.root, element("div", {class: "lead"}, element("h1", {}, "A player learns"),
            element("p", {}, "It begins knowing nothing. Each generation tries some weights, and moves to where the lines are.")),
            element("div", {class: "columns learn"},
                element("section", {class: "panel fields"}, boardField(this.settings.board, (board) => this.set({board})),
                    this.field("Features", SETS, "features"), this.field("Method", METHODS, "method"), this.field("Time", TIMES, "time"),
                    element("label", {class: "field"}, "Seed", seed), this.button, this.bar,
                    element("div", {class: "seat", style: "margin-top:0.4rem"}, this.board, this.boardText)),
                element("div", {class: "stack"},
                    element("section", {class: "panel"}, element("div", {class: "answer"},
                        element("div", {}, element("span", {}, "lines of the player so far"), this.lines),
                        element("div", {}, element("span", {}, "generation"), this.generation),
                        element("div", {}, element("span", {}, "pieces played"), this.played)),
                    element("div", {}, this.curve), element("div", {class: "legend"},
                        element("span", {}, element("i", {style: "background:var(--accent)"}), "the player so far"),
                        element("span", {}, element("i", {style: "background:var(--second)"}), "candidates")), this.sentence, this.after),
                    element("div", {class: "pair"},
                        element("section", {class: "panel"}, element("h2", {}, "The population",
                            element("span", {class: "small faint"}, "full colour: better")), element("div", {}, this.cloud),
                            this.axisRow),
                        element("section", {class: "panel"}, element("h2", {}, "Its weights",
                            element("span", {class: "small faint"}, "grey: still in doubt")), this.bars)))));
    }

    set(changes) {
        Object.assign(this.settings, changes);
        this.stop();
        this.told = [];
        this.after.hidden = true;
        this.draw();
        this.remember();
    }

    setAxes() {
        this.axes = [Number(this.axisX.value), Number(this.axisY.value)];
        this.draw();
        this.remember();
    }

    fillAxes(labels) {
        if (this.axisX.options.length === labels.length)
            return;
        this.axes = this.axes.map((axis) => Math.min(axis, labels.length - 1));
        this.axisRow.hidden = false;
        [this.axisX, this.axisY].forEach((select, k) => replace(select, labels.map((label, i) =>
            element("option", {value: i, selected: i === this.axes[k]}, label))));
    }

    // ---- learning

    stop() {
        if (!this.running)
            return;
        this.engine.stop();
        this.running = false;
        this.button.textContent = "Learn";
        this.sentence.textContent = "Stopped.";
    }

    async start() {
        this.told = [];
        this.position = null;
        this.running = true;
        this.after.hidden = true;
        this.button.textContent = "Stop";
        this.page.tell(null);
        this.draw();
        this.remember(true);
        const settings = {method: this.settings.method, features: this.settings.features, time: `${this.settings.time}s`,
            curve: "4", ...(this.settings.method === "nce" ? {population: "40", objective: "splitting"} : {})};
        try {
            await this.engine.ask({do: "learn", rules: rulesOf(this.settings), settings, seed: this.settings.seed}, (told) => this.take(told));
            this.sentence.textContent = "Learned. The last word is a measurement: press Measure it.";
            this.root.dataset.done = "1";
        } catch (error) {
            if (this.alive)
                this.page.tell(error);
        }
        this.running = false;
        this.button.textContent = "Learn again";
        this.bar.value = 1;
        this.after.hidden = !this.told.length;
    }

    take(told) {
        this.told.push(told);
        this.fillAxes(told.labels);
        this.bar.value = Math.min(1, told.seconds / Number(this.settings.time));
        this.sentence.textContent = `${duration(told.seconds)}: generation ${told.generation}, ${told.population.length} candidates each.`;
        if (!this.drawing)
            this.drawing = requestAnimationFrame(() => {
                this.drawing = 0;
                this.draw();
            });
    }

    strategy() {
        return this.told.length ? this.told[this.told.length - 1].strategy : null;
    }

    strategyText() {
        return JSON.stringify(this.strategy());
    }

    save() {
        const link = element("a", {href: URL.createObjectURL(new Blob([JSON.stringify(this.strategy(), null, 2)], {type: "application/json"})),
            download: `${this.strategy().name}.json`});
        link.click();
        URL.revokeObjectURL(link.href);
    }

    // ---- the game of the player so far

    async playOn() {
        const strategy = this.strategy();
        if (!strategy || this.playing || document.hidden)
            return;
        this.playing = true;
        try {
            if (!this.position || this.position.over)
                this.position = await this.page.engine.ask({do: "game-open", table: 2, strategy, rules: rulesOf(this.settings),
                    seed: 1 + Math.floor(Math.random() * 1e6)});
            else if (strategy !== this.playedBy)
                await this.page.engine.ask({do: "game-strategy", table: 2, strategy});
            this.playedBy = strategy;
            this.position = await this.page.engine.ask({do: "game-step", table: 2, moves: 1});
            this.drawGame();
        } catch (error) {
            if (this.alive)
                this.page.tell(error);
        }
        this.playing = false;
    }

    // ---- drawing

    draw() {
        if (!this.alive)
            return;
        const last = this.told[this.told.length - 1];
        const recent = this.told.slice(-8).map((each) => each.curve).filter((each) => each !== null);
        const level = recent.length ? Math.exp(recent.reduce((sum, each) => sum + Math.log(Math.max(each, 0.1)), 0) / recent.length) : null;
        this.lines.textContent = level === null ? "–" : rounded(Math.round(level));
        this.generation.textContent = last ? last.generation : "–";
        this.played.textContent = last ? count(last.pieces) : "–";
        this.drawCurve(last);
        this.drawCloud(last);
        this.drawBars(last);
        this.drawGame();
    }

    // Each generation's score is noisy: the line is a mean of some of them, on the log scale that it is drawn on.
    smoothed() {
        const points = [];
        let value = null;
        for (const each of this.told) {
            if (each.curve === null)
                continue;
            const log = Math.log(Math.max(each.curve, 0.1));
            value = value === null ? log : value + (log - value) * 0.3;
            points.push([each.seconds, Math.exp(value)]);
        }
        return points;
    }

    drawCurve(last) {
        const dots = this.told.slice(-Math.ceil(MOST_DOTS / 10)).flatMap((each) => each.population.filter((one) => one.score !== null)
            .map((one) => ({x: each.seconds, y: Math.max(0.5, this.linesOf(one.score)), size: 2, colour: "second", alpha: 0.45})));
        const line = this.smoothed();
        drawChart(this.curve, 280, {x: [0, Math.max(Number(this.settings.time), last ? last.seconds : 1)], logY: true,
            y: spanOf([1, 100, ...dots.map((dot) => dot.y), ...line.map(([, y]) => y)], {logarithmic: true}).map((end, k) => (k ? end : Math.max(end, 1))),
            yTitle: "lines of a game", xTitle: "seconds", dots, lines: [{colour: "accent", width: 3, points: line}]});
    }

    // Scores of splitting are logarithms.
    linesOf(score) {
        return Math.exp(score);
    }

    drawCloud(last) {
        if (!last) {
            drawChart(this.cloud, 260, {x: [-1, 1], y: [-1, 1]});
            return;
        }
        const [i, j] = this.axes;
        const seen = this.told.slice(-40);
        const path = this.told.map((each) => [each.answer[i], each.answer[j]]);
        const all = seen.flatMap((each) => each.population.map((one) => one.vector));
        const most = Math.max(...all.flatMap((vector) => [Math.abs(vector[i]), Math.abs(vector[j])]), 0.2) * 1.1;
        const scores = last.population.map((one) => one.score), low = Math.min(...scores), high = Math.max(...scores);
        const older = seen.slice(0, -1).flatMap((each, k) => each.population.map((one) => ({x: one.vector[i], y: one.vector[j], size: 2.5,
            colour: "second", alpha: 0.06 + (0.22 * k) / seen.length})));
        const newest = last.population.map((one) => ({x: one.vector[i], y: one.vector[j], size: 5, colour: "second",
            alpha: 0.35 + 0.65 * ((one.score - low) / (high - low || 1))}));
        drawChart(this.cloud, 260, {x: [-most, most], y: [-most, most], lines: [{colour: "accent", width: 1.5, points: path}],
            dots: [...older, ...newest, {x: path[path.length - 1][0], y: path[path.length - 1][1], size: 6, colour: "accent"}]});
    }

    drawBars(last) {
        if (!last) {
            replace(this.bars, element("p", {class: "small faint"}, "None yet."));
            return;
        }
        const most = Math.max(...last.answer.map(Math.abs), 1e-9), spread = last.deviation || [];
        replace(this.bars, last.labels.map((label, k) => {
            const value = last.answer[k], wide = Math.min(50, (50 * Math.abs(value)) / most);
            const doubt = spread[k] === null || spread[k] === undefined ? 0 : Math.min(100, (50 * spread[k]) / most);
            return element("div", {class: "bar", style: "grid-template-columns:minmax(6.5rem,9.5rem) 1fr 4rem"},
                element("span", {class: "name", title: label}, label),
                element("span", {class: "track"}, element("span", {class: "zero", style: "left:50%"}),
                    element("span", {class: value > 0 ? "fill up" : "fill", style: `left:${value > 0 ? 50 : 50 - wide}%;width:${wide}%`}),
                    element("span", {class: "rival", style: `left:${Math.max(0, 50 + (50 * value) / most - doubt)}%;width:${Math.min(100, 2 * doubt)}%;opacity:0.16`})),
                element("span", {class: "sum"}, element("b", {}, figure(value, 3))));
        }));
    }

    drawGame() {
        if (!this.alive)
            return;
        const [width, height] = this.settings.board.split("x").map(Number);
        const position = this.position || {width, cells: Array.from({length: height}, () => ".".repeat(width))};
        drawBoard(this.board, position, fittingCell(position, 230, 300, 22));
        if (this.position)
            this.boardText.textContent = `generation ${this.told.length ? this.told[this.told.length - 1].generation : ""} plays: ${count(this.position.lines)} lines`;
    }

    // ---- address

    values() {
        return {...this.settings, x: this.axes[0] || undefined, y: this.axes[1] === 1 ? undefined : this.axes[1], go: this.told.length || this.running ? 1 : undefined};
    }

    remember() {
        if (this.alive)
            writeAddress("learn", () => this.values());
    }

    leave() {
        this.alive = false;
        clearInterval(this.timer);
        this.engine.worker.terminate();
        window.removeEventListener("resize", this.onResize);
    }
}
