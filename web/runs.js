// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of learning runs, for `tetralab serve DIR...`: their histories are read as they grow.
import {element, replace, count, rounded, duration} from "./dom.js";
import {drawChart, spanOf} from "./chart.js";
import {followScheme} from "./scheme.js";
import {addressOf} from "./state.js";

const EVERY = 1500; // milliseconds between two looks
const COLOURS = ["#2b67a8", "#c06a12", "#2a8757", "#9b4fc4", "#c4473a", "#27a3c6", "#8a7a1a", "#6b717d"];

const runs = new Map(); // id -> {name, objective (of its plan), read, rest, lines: [generation object]}

// <- null: it is not there; throws if nobody answers
async function get(path) {
    const response = await fetch(path);
    return response.ok ? response : null;
}

// Whole lines only: the last one may still be being written.
function takeLines(run, text) {
    const lines = (run.rest + text).split("\n");
    run.rest = lines.pop();
    for (const line of lines) {
        try {
            run.lines.push(JSON.parse(line));
        } catch {
            // a damaged line: 'tetralab learn --resume' tells about it
        }
    }
}

// <- null: the folder is gone, or its plan is damaged
async function readObjective(id) {
    const text = await (await get(`runs/${id}/run.json`))?.text();
    try {
        return JSON.parse(text).plan.objective ?? null;
    } catch {
        return null;
    }
}

async function readRun({id, name, bytes}) {
    if (!runs.has(id) || bytes < runs.get(id).read) // new, or begun anew
        runs.set(id, {id, name, objective: null, read: 0, rest: "", lines: [], decoder: new TextDecoder()});
    const run = runs.get(id);
    run.objective ??= await readObjective(id);
    run.grew = run.objective !== null && bytes > run.read;
    while (run.objective && run.read < bytes) {
        const response = await get(`runs/${id}/journal.jsonl?from=${run.read}`);
        const part = new Uint8Array(response ? await response.arrayBuffer() : 0);
        if (!part.length)
            break;
        run.read += part.length;
        takeLines(run, run.decoder.decode(part, {stream: true}));
    }
}

// What a score stands for: splitting's are logarithms.
function linesOf(run, score) {
    const splitting = run.objective.kind === "splitting";
    return score === null || score === undefined ? null : splitting ? Math.exp(score) : score;
}

// One line for each run of a folder: the curve, or the best candidates where none was made.
function curvesOf(run, across) {
    const byNumber = new Map();
    for (const line of run.lines) {
        const score = linesOf(run, line.curve ?? line.best);
        if (!byNumber.has(line.run))
            byNumber.set(line.run, []);
        if (score > 0)
            byNumber.get(line.run).push([line[across], score]);
    }
    return [...byNumber.values()];
}

function readable() {
    return [...runs.values()].filter((run) => run.objective);
}

function draw() {
    const across = document.getElementById("across").value;
    const all = readable();
    const lines = all.flatMap((run, k) => curvesOf(run, across).map((points) => ({points, colour: COLOURS[k % COLOURS.length], width: 2})));
    const points = lines.flatMap((line) => line.points);
    drawChart(document.getElementById("curves"), 380, {x: [0, points.reduce((most, [x]) => Math.max(most, x), 1e-3)], logY: true,
        y: spanOf([10].concat(points.map(([, y]) => y)), {logarithmic: true}), yTitle: "lines of a game", xTitle: across, lines});
    replace(document.getElementById("legend"), all.map((run, k) =>
        element("span", {}, element("i", {style: `background:${COLOURS[k % COLOURS.length]}`}), run.name)));
    replace(document.getElementById("table"), element("tr", {}, ["Run", "Generations", "Time", "Pieces", "Lines", ""].map((text, k) =>
        element("th", {class: k > 0 && k < 5 ? "number" : ""}, text))), all.map((run) => {
        const last = run.lines[run.lines.length - 1];
        const curve = [...run.lines].reverse().find((line) => line.curve !== null && line.curve !== undefined);
        return element("tr", {"data-run": run.id}, element("td", {}, run.name),
            element("td", {class: "number"}, last ? String(last.generation) : "–"),
            element("td", {class: "number"}, last ? duration(last.seconds) : "–"),
            element("td", {class: "number"}, last ? count(last.pieces) : "–"),
            element("td", {class: "number"}, curve ? rounded(linesOf(run, curve.curve)) : "–"),
            element("td", {style: "padding-left:1.5rem"}, element("button", {onclick: () => watch(run)}, "Watch its player")));
    }));
}

async function watch(run) {
    try {
        const strategy = await (await get(`runs/${run.id}/best.json`)).json();
        location.href = `index.html${addressOf("watch", {s: JSON.stringify(strategy), board: run.objective.rules.board, pieces: run.objective.rules.piece_source})}`;
    } catch {
        tell("This run has no player yet.");
    }
}

function tell(sentence) {
    const place = document.getElementById("trouble");
    place.textContent = sentence;
    place.hidden = !sentence;
}

async function look() {
    try {
        for (const each of await (await get("runs.json")).json())
            await readRun(each);
        const known = readable().length, growing = readable().filter((run) => run.grew).length;
        document.getElementById("told").textContent = !known ? "None of the folders given holds a run yet." :
            `${known} of them, ${growing ? `${growing} growing right now` : "none growing right now"}. This page updates itself.`;
        tell("");
    } catch {
        tell("The server does not answer any more: 'tetralab serve DIR...' starts it.");
    }
    draw();
    setTimeout(look, document.hidden ? 4 * EVERY : EVERY);
}

window.addEventListener("resize", draw);
followScheme();
document.getElementById("across").addEventListener("change", draw);
look();
