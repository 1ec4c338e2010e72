// SPDX-License-Identifier: GPL-3.0-or-later
// Asking: draw a board, choose the piece, and see which placements a player prefers and why. The answers are those of
// `tetralab choose`.
import {element, replace} from "./dom.js";
import {drawBoard, drawPiece, fittingCell} from "./board.js";
import {LETTERS} from "./pieces.js";
import {candidatesPanel} from "./candidates.js";
import {weightSliders} from "./weights.js";
import {strategyField, strategyObject, boardField, rulesOf} from "./strategies.js";
import {boardOf, boardText, sizeOf, strategyOf, strategyText, writeAddress} from "./state.js";

// To begin with: a board with a hole and a well.
const EXAMPLE = [3, 7, 7, 5, 15, 7, 3, 3, 7, 0];

export const askView = {
    name: "ask",
    title: "Ask",
    create(root, page, values) {
        return new Ask(root, page, values);
    },
};

class Ask {
    constructor(root, page, values) {
        Object.assign(this, {root, page, alive: true, ranking: null});
        this.size = sizeOf(values.board, "10x20");
        this.piece = values.piece || "T";
        this.next = values.next || "";
        this.strategy = strategyOf(values.s) || "bcts";
        this.object = strategyObject(page.about, this.strategy);
        this.columns = values.b ? boardOf(values.b) : EXAMPLE.slice();
        this.fit();
        this.candidates = candidatesPanel(() => this.draw());
        this.build();
        this.onResize = () => this.draw();
        window.addEventListener("resize", this.onResize);
        this.ask();
    }

    get width() {
        return Number(this.size.split("x")[0]);
    }

    get height() {
        return Number(this.size.split("x")[1]);
    }

    fit() {
        const rows = 2 ** this.height - 1;
        this.columns = Array.from({length: this.width}, (_, x) => ((this.columns[x] || 0) & rows) >>> 0);
    }

    // ---- the page

    build() {
        this.canvas = element("canvas", {class: "editor gameboard", tabindex: "0", role: "application",
            "aria-label": "Board to draw on: arrow keys move, space fills or empties a cell"});
        this.cursor = null;
        this.canvas.addEventListener("pointerdown", (event) => this.down(event));
        this.canvas.addEventListener("pointermove", (event) => this.move(event));
        this.canvas.addEventListener("pointerup", () => (this.filling = undefined));
        this.canvas.addEventListener("keydown", (event) => this.key(event));
        this.keys = element("div", {class: "piecekeys"});
        this.nextKeys = element("div", {class: "piecekeys"});
        this.weights = element("section", {class: "panel weights"});
        this.command = element("code", {style: "white-space:pre-wrap;overflow-wrap:anywhere"});
        const left = element("section", {class: "panel"},
            element("div", {class: "seat"}, this.canvas,
                element("div", {class: "row"},
                    element("button", {onclick: () => this.change(() => this.columns.fill(0))}, "Empty"),
                    element("button", {onclick: () => this.lift(1)}, "Up"),
                    element("button", {onclick: () => this.lift(-1)}, "Down"),
                    element("button", {onclick: () => this.fromGame()}, "From a game")),
                element("div", {class: "fields", style: "width:100%"},
                    element("div", {class: "field"}, element("span", {class: "small faint"}, "Piece in hand"), this.keys),
                    element("div", {class: "field"}, element("span", {class: "small faint"}, "Next piece"), this.nextKeys))));
        const settings = element("section", {class: "panel"},
            element("div", {class: "fields", style: "grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr))"},
                strategyField(this.page, "Player", this.strategy, (strategy) => this.setStrategy(strategy)).root,
                boardField(this.size, (size) => this.change(() => {
                    this.size = size;
                    this.fit();
                }))));
        const shell = element("section", {class: "panel"}, element("h2", {}, "The same on the command line"),
            element("p", {class: "small"}, this.command));
        replace(this.root, element("div", {class: "lead"}, element("h1", {}, "Ask for a move"),
            element("p", {}, "Draw on the board with the mouse or a finger. The player answers at once.")),
            element("div", {class: "columns watch"}, left,
                element("div", {class: "stack"}, settings, this.candidates.cards, this.candidates.bars, shell), this.weights));
        this.fillKeys();
        this.fillWeights();
    }

    fillKeys() {
        const key = (letter, chosen, choose) => {
            const canvas = element("canvas", {});
            if (letter)
                drawPiece(canvas, letter, 7);
            return element("button", {"aria-pressed": String(chosen), "aria-label": letter || "none", title: letter || "not known",
                "data-piece": letter, onclick: choose, style: letter ? "" : "line-height:1;font-size:0.8rem;padding:0.3rem 0.6rem"},
                letter ? canvas : "not known");
        };
        replace(this.keys, [...LETTERS].map((letter) => key(letter, letter === this.piece, () => this.change(() => (this.piece = letter)))));
        replace(this.nextKeys, ["", ...LETTERS].map((letter) => key(letter, letter === this.next, () => this.change(() => (this.next = letter)))));
    }

    fillWeights() {
        const sliders = weightSliders(this.page.about, this.object, () => this.ask());
        replace(this.weights, element("h2", {}, "Weights", element("button", {class: "quiet", onclick: () => sliders.reset()}, "reset")),
            sliders.root);
    }

    setStrategy(strategy) {
        this.strategy = strategy;
        this.object = strategyObject(this.page.about, strategy);
        this.fillWeights();
        this.change(() => {});
    }

    // ---- drawing with a pointer or keys

    cellAt(event) {
        const box = this.canvas.getBoundingClientRect();
        const x = Math.floor(((event.clientX - box.left) / box.width) * this.width);
        const y = this.height - 1 - Math.floor(((event.clientY - box.top) / box.height) * this.height);
        return x >= 0 && x < this.width && y >= 0 && y < this.height ? [x, y] : null;
    }

    put(x, y, filled) {
        const bit = 2 ** y;
        const has = Math.floor(this.columns[x] / bit) % 2 === 1;
        if (has !== filled)
            this.change(() => (this.columns[x] += filled ? bit : -bit));
    }

    down(event) {
        const cell = this.cellAt(event);
        if (!cell)
            return;
        this.canvas.setPointerCapture(event.pointerId);
        this.filling = Math.floor(this.columns[cell[0]] / 2 ** cell[1]) % 2 === 0;
        this.put(...cell, this.filling);
    }

    move(event) {
        const cell = this.filling !== undefined && this.cellAt(event);
        if (cell)
            this.put(...cell, this.filling);
    }

    key(event) {
        const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
        this.cursor = this.cursor || [0, 0];
        if (steps[event.key]) {
            const [x, y] = this.cursor, [dx, dy] = steps[event.key];
            this.cursor = [Math.min(this.width - 1, Math.max(0, x + dx)), Math.min(this.height - 1, Math.max(0, y + dy))];
            this.draw();
        } else if (event.key === " ") {
            const [x, y] = this.cursor;
            this.put(x, y, Math.floor(this.columns[x] / 2 ** y) % 2 === 0);
        } else {
            return;
        }
        event.preventDefault();
    }

    lift(rows) {
        this.change(() => {
            const top = 2 ** this.height;
            this.columns = this.columns.map((column) => (rows > 0 ? (column * 2) % top : Math.floor(column / 2)));
        });
    }

    async fromGame() {
        try {
            const position = await this.page.engine.ask({do: "game-open", table: 3, strategy: this.object, rules: rulesOf({board: this.size}),
                seed: 1 + Math.floor(Math.random() * 1e6), pieces: 300 + Math.floor(Math.random() * 200)});
            this.change(() => (this.columns = position.board));
        } catch (error) {
            this.page.tell(error);
        }
    }

    change(how) {
        how();
        this.candidates.select(0);
        this.fillKeys();
        this.draw();
        this.ask();
    }

    // ---- asking

    async ask() {
        if (this.asking) {
            this.again = true;
            return;
        }
        this.asking = true;
        do {
            this.again = false;
            try {
                this.ranking = await this.page.engine.ask({do: "rank", strategy: this.object, rules: rulesOf({board: this.size}),
                    position: {board: this.columns, piece: this.piece, ...(this.next ? {next: this.next} : {})}});
                if (this.alive)
                    this.page.tell(null);
            } catch (error) {
                this.ranking = null;
                if (this.alive)
                    this.page.tell(error);
            }
        } while (this.again);
        this.asking = false;
        this.draw();
        this.remember();
    }

    position() {
        const cells = [];
        for (let y = this.height - 1; y >= 0; y--)
            cells.push(this.columns.map((column) => (Math.floor(column / 2 ** y) % 2 === 1 ? "#" : ".")).join(""));
        return {width: this.width, cells, piece: this.piece};
    }

    draw() {
        if (!this.alive)
            return;
        const position = this.position(), marks = [];
        const ranking = this.ranking, picked = this.candidates.selected;
        if (ranking?.chosen)
            marks.push({...ranking.moves[0], piece: this.piece, kind: picked === 0 ? "solid" : "outline"});
        if (ranking && picked > 0 && ranking.moves[picked])
            marks.push({...ranking.moves[picked], piece: this.piece, kind: "solid"});
        const wide = document.documentElement.clientWidth, room = wide < 760 ? wide - 70 : 300;
        const cell = fittingCell(position, room, 540);
        drawBoard(this.canvas, position, cell, marks);
        if (this.cursor && document.activeElement === this.canvas) {
            const context = this.canvas.getContext("2d"), [x, y] = this.cursor;
            context.strokeStyle = "#2b67a8";
            context.lineWidth = 3;
            context.strokeRect(x * cell + 1.5, (this.height - 1 - y) * cell + 1.5, cell - 3, cell - 3);
        }
        this.candidates.draw(position, ranking);
        // An address may say anything, also what a shell would run: only what the engine has taken is shown to be copied.
        this.command.textContent = ranking ? this.shellCommand(position) : "";
    }

    shellCommand(position) {
        const rows = position.cells.filter((row) => row.includes("#")).map((row) => `"${row}"`).join(",");
        const question = `{"board":[${rows}],"piece":"${this.piece}"${this.next ? `,"next":"${this.next}"` : ""}}`;
        const name = typeof this.strategy === "string" && !this.isOwn() ? this.strategy : "mine.json";
        return `echo '${question}' | tetralab choose ${name}${this.size === "10x20" ? "" : ` --board ${this.size}`}`;
    }

    // Have weights been changed?
    isOwn() {
        return JSON.stringify(this.object) !== JSON.stringify(strategyObject(this.page.about, this.strategy));
    }

    // ---- address

    values() {
        return {s: this.isOwn() ? JSON.stringify(this.object) : strategyText(this.strategy), board: this.size, piece: this.piece,
            next: this.next, b: boardText(this.columns)};
    }

    remember() {
        if (this.alive)
            writeAddress("ask", () => this.values());
    }

    leave() {
        this.alive = false;
        window.removeEventListener("resize", this.onResize);
    }
}
