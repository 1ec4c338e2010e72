// SPDX-License-Identifier: GPL-3.0-or-later
// Watching: one player, or two with the same pieces, at any speed; sliders for the weights, the best placements and
// why the best one is chosen.
import {element, replace, count, short} from "./dom.js";
import {drawBoard, drawPiece, fittingCell} from "./board.js";
import {drawChart} from "./chart.js";
import {candidatesPanel} from "./candidates.js";
import {weightSliders} from "./weights.js";
import {strategyField, strategyObject, boardField, piecesField, rulesOf} from "./strategies.js";
import {boardOf, boardText, sizeOf, strategyOf, strategyText, wholeOf, writeAddress} from "./state.js";

// Moves a second, by the place of the slider; the last one is as fast as the machine can.
const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60, 250, 1000, 5000, 25000, 100000, Infinity];
const TRACE = 240; // moves whose heights are drawn

// A player at a table of the engine.
class Seat {
    constructor(page, table, strategy) {
        Object.assign(this, {page, table, strategy, trace: [], position: null, cost: 1000});
        this.object = strategyObject(page.about, strategy);
        this.canvas = element("canvas", {class: "gameboard", role: "img", "aria-label": "Board"});
        this.next = element("canvas", {"aria-hidden": "true"});
        this.title = element("h3", {});
        this.over = element("p", {class: "over"});
        this.lines = element("b", {}, "0");
        this.pieces = element("b", {}, "0");
        this.height = element("b", {}, "0");
        this.root = element("div", {class: "seat"}, this.title, this.canvas,
            element("div", {class: "numbers"},
                element("div", {}, this.lines, element("span", {}, "lines")),
                element("div", {}, this.pieces, element("span", {}, "pieces")),
                element("div", {}, this.height, element("span", {}, "pile")),
                element("div", {}, this.next, element("span", {}, "next"))),
            this.over);
    }

    request(more) {
        return this.page.engine.ask({table: this.table, rank: true, ...more});
    }

    async take(promise) {
        const position = await promise;
        this.trace.push(...(position.heights || []));
        this.trace.splice(0, this.trace.length - TRACE);
        this.position = position;
        return position;
    }

    draw(cell, marks) {
        const position = this.position;
        if (!position)
            return;
        this.title.textContent = position.strategy;
        drawBoard(this.canvas, position, cell, position.over ? [] : marks);
        drawPiece(this.next, position.next, 9);
        this.lines.textContent = count(position.lines);
        this.pieces.textContent = count(position.pieces);
        this.height.textContent = position.height;
        this.over.textContent = position.over ? "Lost: no move is left." : "";
    }
}

export const watchView = {
    name: "watch",
    title: "Watch",
    create(root, page, values) {
        return new Watch(root, page, values);
    },
};

class Watch {
    constructor(root, page, values) {
        this.page = page;
        this.root = root;
        this.settings = {board: sizeOf(values.board, "10x20"), pieces: values.pieces || "uniform",
            seed: wholeOf(values.seed, 1), game: wholeOf(values.game, 0)};
        this.speed = wholeOf(values.speed, 3, SPEEDS.length - 1);
        this.seats = [new Seat(page, 0, strategyOf(values.s) || "bcts")];
        if (values.s2)
            this.seats.push(new Seat(page, 1, strategyOf(values.s2)));
        this.looked = 0; // the seat whose thoughts are shown
        this.running = values.run !== "0";
        this.alive = true;
        this.owed = 0;
        this.rate = {moves: 0, since: performance.now(), shown: ""};
        this.candidates = candidatesPanel(() => this.draw());
        this.build();
        this.onKey = (event) => this.key(event);
        this.onResize = () => this.draw();
        document.addEventListener("keydown", this.onKey);
        window.addEventListener("resize", this.onResize);
        this.open(values);
    }

    // ---- the page

    build() {
        const button = (text, what, title) => element("button", {onclick: what, title, "aria-label": title}, text);
        this.play = button("Pause", () => this.toggle(), "Space: go on or pause");
        this.play.classList.add("main");
        this.play.style.minWidth = "5.2rem";
        this.speedText = element("output", {});
        const range = element("input", {type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: this.speed,
            "aria-label": "Speed", oninput: () => this.setSpeed(Number(range.value))});
        this.trace = element("canvas", {class: "chart"});
        this.place = element("div", {class: "seats"});
        this.weights = element("section", {class: "panel weights"});
        const left = element("section", {class: "panel"}, this.place,
            element("div", {class: "controls"},
                element("div", {class: "row"}, this.play,
                    button("Back", () => this.back(), "Left arrow: one move back"),
                    button("Step", () => this.step(), "Right arrow: one move"),
                    button("New game", () => this.newGame(), "N: another game")),
                element("label", {class: "speed"}, "Speed", range, this.speedText),
                element("div", {}, this.trace)));
        this.settingsPanel = element("section", {class: "panel"});
        this.columns = element("div", {class: "columns watch"}, left,
            element("div", {class: "stack"}, this.settingsPanel, this.candidates.cards, this.candidates.bars), this.weights);
        replace(this.root, element("div", {class: "lead"}, element("h1", {}, "Watch a player think"),
            element("p", {}, "The outlined piece is where the player will put it. Move a weight, and see the choice change.")),
            this.columns);
        this.fillSettings();
        this.seatsChanged();
        this.setSpeed(this.speed);
    }

    fillSettings() {
        const [first, second] = this.seats;
        const seed = element("input", {type: "number", min: 0, max: 1e9, value: this.settings.seed, "aria-label": "Seed",
            onchange: () => this.set({seed: Math.max(0, Math.floor(Number(seed.value)) || 0), game: 0})});
        replace(this.settingsPanel, element("div", {class: "fields",
            style: "grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr))"},
            strategyField(this.page, "Player", first.strategy, (strategy) => this.setStrategy(0, strategy)).root,
            strategyField(this.page, "Against", second ? second.strategy : "", (strategy) => this.setStrategy(1, strategy),
                [["", "nobody"]]).root,
            boardField(this.settings.board, (board) => this.set({board})),
            piecesField(this.settings.pieces, (pieces) => this.set({pieces})),
            element("label", {class: "field"}, "Seed", seed)));
    }

    seatsChanged() {
        replace(this.place, this.seats.map((seat) => seat.root));
        this.looked = Math.min(this.looked, this.seats.length - 1);
        this.fillWeights();
    }

    fillWeights() {
        const seat = this.seats[this.looked];
        const sliders = weightSliders(this.page.about, seat.object, () => this.weightsChanged(seat));
        const which = this.seats.length > 1 ? this.seats.map((each, k) =>
            element("button", {"aria-pressed": String(k === this.looked), onclick: () => {
                this.looked = k;
                this.candidates.select(0);
                this.fillWeights();
                this.look();
            }}, `${k === 0 ? "left" : "right"}: ${each.object.name || "own"}`)) : [];
        replace(this.weights, element("h2", {}, "Weights", element("button", {class: "quiet", onclick: () => sliders.reset()}, "reset")),
            which.length ? element("div", {class: "row", style: "margin-bottom:0.7rem"}, which) : [], sliders.root);
    }

    setSpeed(speed) {
        this.speed = speed;
        const moves = SPEEDS[speed];
        this.speedText.textContent = moves === Infinity ? "full speed" : moves < 1 ? "1 in 2 s" : `${moves.toLocaleString("en")} moves/s`;
        this.remember();
    }

    // ---- games

    rules() {
        return rulesOf(this.settings);
    }

    openRequest(seat, more = {}) {
        return {do: "game-open", strategy: seat.object, rules: this.rules(), seed: this.settings.seed,
            number: this.settings.game, ...more};
    }

    async open(values) {
        const at = (k) => (values && values[`b${k}`] ? {pieces: wholeOf(values.n, 0), lines: wholeOf(values[`l${k}`], 0),
            board: boardOf(values[`b${k}`])} : {});
        await this.doing(() => Promise.all(this.seats.map((seat, k) => {
            seat.trace = [];
            return seat.take(seat.request(this.openRequest(seat, at(k))));
        })));
        this.draw();
        if (!this.loop)
            this.loop = requestAnimationFrame((now) => this.frame(now));
    }

    // One thing at a time; a sentence if it cannot be done.
    async doing(what) {
        while (this.busy)
            await this.busy;
        this.busy = (async () => {
            try {
                await what();
                if (this.alive)
                    this.page.tell(null);
            } catch (error) {
                this.running = false;
                if (this.alive)
                    this.page.tell(error);
            }
        })();
        await this.busy;
        this.busy = null;
        this.drawControls();
        this.remember();
    }

    async set(changes) {
        Object.assign(this.settings, changes);
        this.candidates.select(0);
        await this.open();
    }

    async setStrategy(k, strategy) {
        if (k === 1 && !strategy)
            this.seats.length = 1;
        else
            this.seats[k] = new Seat(this.page, k, strategy);
        this.candidates.select(0);
        this.seatsChanged();
        await this.open();
    }

    async weightsChanged(seat) {
        if (this.sending) {
            this.again = true;
            return;
        }
        this.sending = true;
        do {
            this.again = false;
            await this.doing(() => seat.take(seat.request({do: "game-strategy", strategy: seat.object})));
            this.draw();
        } while (this.again);
        this.sending = false;
    }

    newGame() {
        this.running = true;
        return this.set({game: this.settings.game + 1});
    }

    toggle() {
        this.running = !this.running;
        this.candidates.select(0);
        if (this.running && this.seats.every((seat) => seat.position?.over))
            this.newGame();
        this.drawControls();
        this.draw();
        this.remember();
    }

    async step() {
        this.running = false;
        await this.doing(() => this.moveAll(() => 1));
        this.draw();
    }

    async back() {
        this.running = false;
        await this.doing(() => Promise.all(this.seats.map((seat) => {
            seat.trace.pop();
            return seat.take(seat.request({do: "game-back"}));
        })));
        this.draw();
    }

    look() {
        return this.doing(() => Promise.all(this.seats.map((seat) => seat.take(seat.request({do: "game-look"})))))
            .then(() => this.draw());
    }

    async moveAll(movesOf) {
        await Promise.all(this.seats.filter((seat) => seat.position && !seat.position.over).map(async (seat) => {
            const moves = movesOf(seat), started = performance.now(), before = seat.position.pieces;
            const position = await seat.take(seat.request({do: "game-step", moves}));
            const spent = performance.now() - started;
            if (moves >= seat.cost / 2) // towards a fiftieth of a second
                seat.cost = Math.max(500, Math.min(1e7, seat.cost * Math.min(2, Math.max(0.5, 20 / Math.max(spent, 0.5)))));
            this.rate.moves += position.pieces - before;
        }));
    }

    // ---- time

    frame(now) {
        if (!this.alive)
            return;
        const passed = Math.min(0.25, (now - (this.last ?? now)) / 1000);
        this.last = now;
        if (this.running && !this.busy && !this.sending && this.seats.every((seat) => seat.position)) {
            const speed = SPEEDS[this.speed];
            this.owed = speed === Infinity ? 1 : Math.min(this.owed + passed * speed, speed);
            const moves = Math.floor(this.owed);
            if (this.seats.every((seat) => seat.position.over)) {
                this.running = false;
                this.drawControls();
            } else if (moves >= 1) {
                this.owed -= moves;
                this.doing(() => this.moveAll((seat) => (speed === Infinity ? Math.floor(seat.cost) : moves))).then(() => this.draw());
            }
        }
        if (now - this.rate.since > 500) {
            const rate = (1000 * this.rate.moves) / (now - this.rate.since);
            if (SPEEDS[this.speed] === Infinity && this.running)
                this.speedText.textContent = `${short(rate)}/s`;
            this.rate = {moves: 0, since: now};
        }
        this.loop = requestAnimationFrame((next) => this.frame(next));
    }

    // ---- drawing

    draw() {
        if (!this.alive || !this.seats.every((seat) => seat.position))
            return;
        const wide = document.documentElement.clientWidth, narrow = wide < 760;
        const room = narrow ? (wide - 60 - 20 * (this.seats.length - 1)) / this.seats.length : this.seats.length > 1 ? 240 : 300;
        this.columns.classList.toggle("two", this.seats.length > 1);
        this.seats.forEach((seat, k) => {
            const ranking = seat.position?.ranking, marks = [];
            if (!ranking || !ranking.moves.length)
                return seat.draw(fittingCell(seat.position, room, 540), []);
            const picked = k === this.looked ? this.candidates.selected : 0;
            if (ranking.chosen)
                marks.push({...ranking.moves[0], piece: seat.position.piece, kind: picked === 0 ? "solid" : "outline"});
            if (picked > 0 && ranking.moves[picked])
                marks.push({...ranking.moves[picked], piece: seat.position.piece, kind: "solid"});
            seat.draw(fittingCell(seat.position, room, 540), marks);
        });
        const seat = this.seats[this.looked];
        this.candidates.draw(seat.position, seat.position.over ? null : seat.position.ranking);
        this.drawTrace();
        this.drawControls();
    }

    drawTrace() {
        const height = Number(this.settings.board.split("x")[1]);
        const colours = ["accent", "second"];
        drawChart(this.trace, 96, {x: [0, TRACE], y: [0, height], yTitle: "height of the pile, last moves",
            lines: this.seats.map((seat, k) => ({colour: colours[k], width: 1.6,
                points: seat.trace.map((each, i) => [TRACE - seat.trace.length + i + 1, each])}))});
    }

    drawControls() {
        this.play.textContent = this.running ? "Pause" : "Go on";
    }

    // ---- keys, address

    key(event) {
        if (event.target.closest?.("input, select, textarea, dialog, [role=application]") || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const keys = {" ": () => this.toggle(), ArrowRight: () => this.step(), ArrowLeft: () => this.back(), n: () => this.newGame(),
            N: () => this.newGame()};
        if (keys[event.key]) {
            event.preventDefault();
            keys[event.key]();
        }
    }

    values() {
        const [first, second] = this.seats;
        const own = (seat) => JSON.stringify(seat.object) !== JSON.stringify(strategyObject(this.page.about, seat.strategy)) ?
            JSON.stringify(seat.object) : strategyText(seat.strategy);
        const values = {s: own(first), s2: second && own(second), board: this.settings.board, pieces: this.settings.pieces,
            seed: this.settings.seed, game: this.settings.game, speed: this.speed, run: this.running ? undefined : 0};
        const same = this.seats.every((seat) => seat.position && seat.position.pieces === first.position.pieces && !seat.position.over);
        if (same && first.position.pieces) {
            values.n = first.position.pieces;
            this.seats.forEach((seat, k) => {
                values[`b${k}`] = boardText(seat.position.board);
                values[`l${k}`] = seat.position.lines;
            });
        }
        return values;
    }

    remember() {
        if (this.alive && this.seats[0].position)
            writeAddress("watch", () => this.values());
    }

    leave() {
        this.alive = false;
        cancelAnimationFrame(this.loop);
        document.removeEventListener("keydown", this.onKey);
        window.removeEventListener("resize", this.onResize);
    }
}
