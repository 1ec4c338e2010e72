// SPDX-License-Identifier: GPL-3.0-or-later
// What a player thinks of its moves: the best placements as small boards, and what every feature gives to one of
// them, its value times its weight, as bars.
import {element, replace, figure} from "./dom.js";
import {drawBoard} from "./board.js";

const SHOWN = 8;

// -> chosen(index)  a card was pressed
export function candidatesPanel(chosen) {
    const cards = element("div", {class: "cards"});
    const bars = element("div", {class: "bars"});
    const title = element("span", {});
    const hint = element("span", {class: "small faint"});
    let selected = 0;
    const places = Array.from({length: SHOWN}, (_, k) => {
        const canvas = element("canvas", {"aria-hidden": "true"});
        const rank = element("span", {class: "rank"}), value = element("span", {});
        const card = element("button", {class: "card", "aria-pressed": "false", onclick: () => {
            selected = k;
            chosen(k);
        }}, rank, canvas, value);
        cards.append(card);
        return {card, canvas, rank, value};
    });

    function drawCards(position, ranking) {
        const size = Math.max(3, Math.min(6, Math.floor(66 / position.width)));
        places.forEach((place, k) => {
            const move = ranking.moves[k];
            place.card.hidden = !move;
            if (!move)
                return;
            const best = k === 0 && ranking.chosen;
            drawBoard(place.canvas, position, size, [{...move, piece: position.piece, kind: "solid"}]);
            place.rank.textContent = best ? "chosen" : `${k + 1}.`;
            place.card.classList.toggle("best", best);
            place.card.setAttribute("aria-pressed", String(k === selected));
            place.value.textContent = move.ends ? "ends the game" : figure(move.value);
            place.card.setAttribute("aria-label", `Candidate ${k + 1}: orientation ${move.orientation}, column ` +
                `${move.column + 1}, value ${figure(move.value)}`);
        });
    }

    function drawBars(ranking) {
        const move = ranking.moves[selected], best = ranking.moves[0];
        if (!move || !ranking.features || !ranking.features.length) {
            replace(bars, element("p", {class: "small faint"}, "This player does not rate its moves by features."));
            return;
        }
        const all = [...move.contributions, ...best.contributions].filter((each) => each !== null);
        const most = Math.max(...all.map(Math.abs), 1e-9);
        const low = Math.min(0, ...all), high = Math.max(0, ...all), span = high - low || most;
        const at = (value) => (100 * (value - low)) / span;
        const rows = ranking.features.map((feature, i) => {
            const contribution = move.contributions[i] ?? 0, rival = best.contributions[i] ?? 0;
            const several = ranking.features.filter((each) => each.name === feature.name).length > 1;
            return element("div", {class: "bar"},
                element("span", {class: "name", title: feature.name}, several ? `${feature.name} ${feature.index + 1}` : feature.name),
                element("span", {class: "track"},
                    element("span", {class: "zero", style: `left:${at(0)}%`}),
                    element("span", {class: contribution > 0 ? "fill up" : "fill",
                        style: `left:${at(Math.min(0, contribution))}%;width:${(100 * Math.abs(contribution)) / span}%`}),
                    selected > 0 ? element("span", {class: "rival", style: `left:calc(${at(rival)}% - 1px)`}) : null),
                element("span", {class: "sum"},
                    element("span", {class: "product"}, `${figure(move.values[i], 3)} × ${figure(feature.weight, 3)} = `),
                    element("b", {}, figure(contribution))));
        });
        replace(bars, rows, element("div", {class: "bar total"}, element("span", {class: "name"}, "rating"),
            element("span", {}), element("span", {class: "sum"}, element("b", {}, figure(move.rating)))));
        title.textContent = selected === 0 ? "Why this move" : `Why not candidate ${selected + 1}`;
        hint.textContent = selected === 0 ? "value × weight" : "black marks: the chosen move";
    }

    return {
        cards: element("section", {class: "panel"}, element("h2", {}, "Best placements",
            element("span", {class: "small faint"}, "press one to compare")), cards),
        bars: element("section", {class: "panel"}, element("h2", {}, title, hint), bars),
        get selected() {
            return selected;
        },
        select(k) {
            selected = k;
        },
        draw(position, ranking) {
            if (!ranking || !ranking.moves.length) {
                places.forEach((place) => (place.card.hidden = true));
                replace(bars);
                return;
            }
            selected = Math.min(selected, ranking.moves.length - 1);
            drawCards(position, ranking);
            drawBars(ranking);
        },
    };
}
