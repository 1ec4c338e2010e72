// SPDX-License-Identifier: GPL-3.0-or-later
// A person against a player. Both put down a piece at the same time; two or more rows removed at once push attack
// rows under the other's pile.
import {element, replace, count} from "./dom.js";
import {drawBoard, drawPiece, fittingCell} from "./board.js";
import {SHAPES, landingRow} from "./pieces.js";
import {strategyField, strategyObject, boardField, rulesOf} from "./strategies.js";
import {sizeOf, strategyOf, strategyText, wholeOf, writeAddress} from "./state.js";

const LIMITS = [["0", "as long as you like"], ["10", "10 seconds"], ["5", "5 seconds"], ["2", "2 seconds"], ["1", "1 second"]];

export const playView = {
    name: "play",
    title: "Play",
    create(root, page, values) {
        return new Play(root, page, values);
    },
};

class Play {
    constructor(root, page, values) {
        Object.assign(this, {root, page, alive: true, orientation: 0, column: 3, match: null, flash: [0, 0]});
        this.settings = {board: sizeOf(values.board, "10x20"), seed: wholeOf(values.seed, 1), number: wholeOf(values.number, 0), limit: values.limit || "0"};
        this.strategy = strategyOf(values.s) || "dellacherie";
        this.build();
        this.onKey = (event) => this.key(event);
        this.onResize = () => this.draw();
        document.addEventListener("keydown", this.onKey);
        window.addEventListener("resize", this.onResize);
        this.timer = setInterval(() => this.tick(), 100);
        this.open();
    }

    seat(name) {
        const seat = {canvas: element("canvas", {class: "gameboard"}), next: element("canvas", {}), lines: element("b", {}, "0"),
            sent: element("b", {}, "0"), title: element("h3", {}, name), attack: element("span", {class: "small"})};
        seat.root = element("div", {class: "seat"}, seat.title, seat.canvas, element("div", {class: "numbers"},
            element("div", {}, seat.lines, element("span", {}, "lines")), element("div", {}, seat.sent, element("span", {}, "rows sent")),
            element("div", {}, seat.next, element("span", {}, "next"))), seat.attack);
        return seat;
    }

    build() {
        this.seats = [this.seat("You"), this.seat("Machine")];
        this.seats[0].canvas.style.touchAction = "none";
        this.pointer();
        this.result = element("p", {class: "over", role: "status"});
        this.clock = element("progress", {max: 1, value: 0, "aria-label": "Time for this move"});
        const button = (text, what, label) => element("button", {onclick: what, "aria-label": label}, text);
        const limit = element("select", {"aria-label": "Time", onchange: () => {
            this.settings.limit = limit.value;
            this.moved();
            this.remember();
        }}, LIMITS.map(([value, text]) => element("option", {value, selected: value === this.settings.limit}, text)));
        replace(this.root, element("div", {class: "lead"}, element("h1", {}, "You against the machine"),
            element("p", {}, "Remove two rows at once, and the other gets one from below; three send two, four send three.")),
            element("div", {class: "columns measure play"},
                element("section", {class: "panel fields"},
                    strategyField(this.page, "Machine", this.strategy, (strategy) => {
                        this.strategy = strategy;
                        this.open();
                    }).root,
                    boardField(this.settings.board, (board) => {
                        this.settings.board = board;
                        this.open();
                    }),
                    element("label", {class: "field"}, "Time for a move", limit),
                    element("button", {class: "main", onclick: () => this.again()}, "New match"),
                    element("p", {class: "small faint keys"}, "← → move, ↑ or X turns, Y or Z turns back, space or ↓ drops. N: new match."),
                    element("p", {class: "small faint"}, "With a mouse or a finger: slide over your board to move, tap or click to drop.")),
                element("section", {class: "panel"}, element("div", {class: "seats"}, this.seats.map((seat) => seat.root)),
                    element("div", {class: "seat", style: "margin-top:0.6rem"}, this.result, this.clock,
                        element("div", {class: "pad"}, button("←", () => this.shift(-1), "Left"), button("→", () => this.shift(1), "Right"),
                            button("↺", () => this.turn(1), "Turn"), button("↻", () => this.turn(-1), "Turn back"), button("⤓", () => this.drop(), "Drop"))))));
    }

    // ---- matches

    async open() {
        try {
            this.match = await this.page.engine.ask({do: "match-open", rules: rulesOf(this.settings), seed: this.settings.seed,
                number: this.settings.number, seats: [null, strategyObject(this.page.about, this.strategy)]});
            this.page.tell(null);
        } catch (error) {
            this.page.tell(error);
            return;
        }
        this.result.textContent = "";
        this.moved();
        this.draw();
        this.remember();
    }

    again() {
        this.settings.number++;
        return this.open();
    }

    // The next piece appears in the middle.
    moved() {
        const width = Number(this.settings.board.split("x")[0]);
        this.orientation = 0;
        this.column = this.match ? Math.floor((width - SHAPES[this.match.seats[0].piece]?.[0].width) / 2) : 3;
        this.since = performance.now();
    }

    async drop() {
        if (this.busy || !this.match || this.match.over)
            return;
        this.busy = true;
        try {
            const before = this.match;
            this.match = await this.page.engine.ask({do: "match-round", orientation: this.orientation, column: this.column});
            this.seats.forEach((seat, k) => {
                const got = this.match.seats[k].received - before.seats[k].received;
                seat.attack.textContent = got ? `${got} row${got > 1 ? "s" : ""} from below` : "";
            });
            if (this.match.over)
                this.result.textContent = this.match.winner === 0 ? "You win." : this.match.winner === 1 ? "The machine wins." : "A draw.";
        } catch (error) {
            this.page.tell(error);
        }
        this.busy = false;
        this.moved();
        this.draw();
    }

    tick() {
        const limit = Number(this.settings.limit);
        this.clock.hidden = !limit;
        if (!limit || !this.match || this.match.over) {
            this.clock.value = 0;
            return;
        }
        const share = (performance.now() - this.since) / 1000 / limit;
        this.clock.value = Math.min(1, share);
        if (share >= 1)
            this.drop();
    }

    // ---- moving the piece in hand

    shape() {
        return SHAPES[this.match.seats[0].piece][this.orientation];
    }

    keepInside() {
        const width = this.match.seats[0].width;
        this.column = Math.max(0, Math.min(width - this.shape().width, this.column));
    }

    shift(by) {
        if (!this.match || this.match.over)
            return;
        this.column += by;
        this.keepInside();
        this.draw();
    }

    turn(by) {
        if (!this.match || this.match.over)
            return;
        const all = SHAPES[this.match.seats[0].piece], before = this.shape().width;
        this.orientation = (this.orientation + by + all.length) % all.length;
        this.column += Math.round((before - this.shape().width) / 2);
        this.keepInside();
        this.draw();
    }

    pointer() {
        const canvas = this.seats[0].canvas;
        let start = null;
        const place = (event) => {
            const box = canvas.getBoundingClientRect();
            return Math.floor(((event.clientX - box.left) / box.width) * this.match.seats[0].width);
        };
        canvas.addEventListener("pointerdown", (event) => (start = {x: event.clientX, y: event.clientY, column: this.column}));
        canvas.addEventListener("pointermove", (event) => {
            if (!this.match || this.match.over || (event.pointerType === "touch" && !start))
                return;
            this.column = place(event) - Math.floor(this.shape().width / 2);
            this.keepInside();
            this.draw();
        });
        canvas.addEventListener("pointerup", (event) => {
            const moved = start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > 12;
            const down = start && event.clientY - start.y > 50;
            start = null;
            if (!moved || down)
                this.drop();
        });
    }

    key(event) {
        if (event.target.closest?.("input, select, textarea, dialog, [role=application]") || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const keys = {ArrowLeft: () => this.shift(-1), ArrowRight: () => this.shift(1), ArrowUp: () => this.turn(1), x: () => this.turn(1),
            y: () => this.turn(-1), z: () => this.turn(-1), ArrowDown: () => this.drop(), " ": () => this.drop(), n: () => this.again()};
        const what = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (what) {
            event.preventDefault();
            what();
        }
    }

    // ---- drawing

    draw() {
        if (!this.alive || !this.match)
            return;
        const wide = document.documentElement.clientWidth, narrow = wide < 760;
        const room = narrow ? (wide - 90) / 2 : Math.min(300, (wide - 480) / 2);
        this.match.seats.forEach((state, k) => {
            const seat = this.seats[k], marks = [];
            // rows that were sent have no piece
            const shown = {...state, cells: state.cells.map((row) => row.replaceAll("#", "A"))};
            if (k === 0 && !this.match.over && state.piece)
                marks.push({piece: state.piece, orientation: this.orientation, column: this.column, kind: "solid",
                    row: landingRow(state.board, state.piece, this.orientation, this.column)});
            const cell = fittingCell(shown, room, narrow ? 420 : 560, 28);
            drawBoard(seat.canvas, shown, cell, marks);
            if (k === 0 && !this.match.over)
                this.drawHeld(seat.canvas, shown, cell);
            drawPiece(seat.next, state.next, 9);
            seat.lines.textContent = count(state.lines);
            seat.sent.textContent = count(state.sent);
        });
        this.seats[1].title.textContent = typeof this.strategy === "string" ? this.strategy : this.strategy.name || "Machine";
    }

    // The piece in hand hangs at the top, above the place where it will come to rest.
    drawHeld(canvas, position, cell) {
        const context = canvas.getContext("2d"), shape = this.shape();
        context.globalAlpha = 0.55;
        context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--piece-${position.piece}`);
        for (const [x, y] of shape.cells) {
            context.beginPath();
            context.roundRect((this.column + x) * cell + 1, (shape.height - 1 - y) * cell + 1, cell - 2, cell - 2, cell * 0.16);
            context.fill();
        }
        context.globalAlpha = 1;
    }

    values() {
        return {s: strategyText(this.strategy), ...this.settings};
    }

    remember() {
        if (this.alive)
            writeAddress("play", () => this.values());
    }

    leave() {
        this.alive = false;
        clearInterval(this.timer);
        document.removeEventListener("keydown", this.onKey);
        window.removeEventListener("resize", this.onResize);
    }
}
