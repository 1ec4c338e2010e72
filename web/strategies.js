// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing a strategy: a built-in one, or one that is pasted as the text of a strategy file.
import {element, replace} from "./dom.js";
import {strategyOf} from "./state.js";

const PASTED = "pasted";
const PASTE = "paste";
const EXAMPLE = `{
  "name": "mine",
  "weights": {"holes": -4, "landing-height": -1, "cumulative-wells": -1}
}`;

// What a page can play: not those that need files or hours.
export function builtins(about) {
    return about.strategies.filter((each) => each.player !== "uct" && each.player !== "table" && each.player !== "tbp");
}

// <- the strategy as an object that may be changed
export function strategyObject(about, strategy) {
    const found = typeof strategy === "string" && about.strategies.find((each) => each.name === strategy);
    return structuredClone(found ? found.strategy : strategy);
}

function pasteDialog(page, done) {
    const text = element("textarea", {rows: 12, spellcheck: "false", "aria-label": "Strategy file"}, EXAMPLE);
    const sentence = element("p", {class: "small", role: "alert"});
    const take = async () => {
        try {
            await page.engine.ask({do: "rank", strategy: text.value, position: {piece: "T"}});
            dialog.close();
            done(strategyOf(text.value));
        } catch (error) {
            sentence.textContent = error.message;
        }
    };
    const dialog = element("dialog", {onclose: () => dialog.remove()},
        element("h2", {}, "A strategy of your own"),
        element("p", {class: "small faint"}, "The text of a strategy file: weights of features, and if you like the " +
            "player (greedy, two-piece or expectimax). A learned player's best.json is one."),
        text, sentence,
        element("div", {class: "row"},
            element("button", {class: "main", onclick: take}, "Use it"),
            element("button", {onclick: () => dialog.close()}, "Cancel")));
    document.body.append(dialog);
    dialog.showModal();
}

// A field to choose from. -> strategy  a name, or an object; changed(strategy) is called with the choice
export function strategyField(page, label, strategy, changed, extra = []) {
    const select = element("select", {"aria-label": label});
    let current = strategy;
    const fill = () => {
        const own = typeof current === "object" && current ? current.name || "pasted" : null;
        replace(select,
            extra.map(([value, text]) => element("option", {value, selected: current === value}, text)),
            own ? element("option", {value: PASTED, selected: true}, own) : [],
            builtins(page.about).map((each) =>
                element("option", {value: each.name, selected: each.name === current, title: each.source}, each.name)),
            element("option", {value: PASTE}, "Paste one…"));
    };
    select.addEventListener("change", () => {
        if (select.value === PASTE) {
            fill();
            pasteDialog(page, (pasted) => {
                current = pasted;
                fill();
                changed(current);
            });
        } else if (select.value !== PASTED) {
            current = select.value;
            fill();
            changed(current);
        }
    });
    fill();
    return {
        root: element("label", {class: "field"}, label, select),
        set(next) {
            current = next;
            fill();
        },
    };
}

const BOARDS = ["10x20", "10x16", "10x10", "8x16", "6x12", "14x27"];

export function boardField(board, changed) {
    const select = element("select", {"aria-label": "Board", onchange: () => changed(select.value)});
    const boards = BOARDS.includes(board) ? BOARDS : [...BOARDS, board];
    replace(select, boards.map((each) =>
        element("option", {value: each, selected: each === board}, each.replace("x", " × "))));
    return element("label", {class: "field"}, "Board", select);
}

const SOURCES = [["uniform", "uniform"], ["bag", "bag of seven"], ["hard", "hard"], ["sz", "S and Z"]];

export function piecesField(source, changed) {
    const select = element("select", {"aria-label": "Pieces", onchange: () => changed(select.value)});
    replace(select, SOURCES.map(([value, text]) => element("option", {value, selected: value === source}, text)));
    return element("label", {class: "field"}, "Pieces", select);
}

// Rules as the engine takes them.
export function rulesOf({board, pieces}) {
    return {board: board || "10x20", piece_source: pieces || "uniform"};
}
