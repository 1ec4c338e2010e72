// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of learning runs, for `tetralab serve DIR...`: their histories are read as they grow.
import {element, replace, count, rounded, duration} from "./dom.js";
import {drawChart, spanOf} from "./chart.js";
import {addressOf} from "./state.js";

const EVERY = 1500; // milliseconds between two looks
const COLOURS = ["#2b67a8", "#c06a12", "#2a8757", "#9b4fc4", "#c4473a", "#27a3c6", "#8a7a1a", "#6b717d"];

const runs = new Map(); // id -> {name, plan, read, rest, lines: [[generation object]]}

const wantsDark = matchMedia("(prefers-color-scheme: dark)");
function applyScheme() {
    let chosen = null;
    try {
        chosen = localStorage.getItem("scheme");
    } catch {
        // a browser that keeps nothing: as the system has it
    }
    document.documentElement.dataset.scheme = chosen || (wantsDark.matches ? "dark" : "light");
    draw();
}

async function fetchText(path) {
    const response = await fetch(path);
    if (!response.ok)
        throw new Error(`${path}: ${response.status}`);
    return response;
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

async function readRun({id, name, bytes}) {
    if (!runs.has(id))
        runs.set(id, {id, name, plan: (await (await fetchText(`runs/${id}/run.json`)).json()).plan, read: 0, rest: "", lines: [], decoder: new TextDecoder()});
    const run = runs.get(id);
    if (bytes < run.read) // begun anew
        Object.assign(run, {read: 0, rest: "", lines: [], decoder: new TextDecoder()});
    run.grew = bytes > run.read;
    while (run.read < bytes) {
        const part = new Uint8Array(await (await fetchText(`runs/${id}/journal.jsonl?from=${run.read}`)).arrayBuffer());
        if (!part.length)
            break;
        run.read += part.length;
        takeLines(run, run.decoder.decode(part, {stream: true}));
    }
}

// What a score stands for: splitting's are logarithms.
function linesOf(run, score) {
    const splitting = run.plan.objective.kind === "splitting";
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

function draw() {
    const across = document.getElementById("across").value;
    const all = [...runs.values()];
    const lines = all.flatMap((run, k) => curvesOf(run, across).map((points) => ({points, colour: COLOURS[k % COLOURS.length], width: 2})));
    const points = lines.flatMap((line) => line.points);
    drawChart(document.getElementById("curves"), 380, {x: [0, Math.max(...points.map(([x]) => x), 1e-3)], logY: true,
        y: spanOf([10, ...points.map(([, y]) => y)], {logarithmic: true}), yTitle: "lines of a game", xTitle: across, lines});
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
        const strategy = await (await fetchText(`runs/${run.id}/best.json`)).json();
        location.href = `index.html${addressOf("watch", {s: JSON.stringify(strategy), board: run.plan.objective.rules.board})}`;
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
        const list = await (await fetchText("runs.json")).json();
        for (const each of list)
            await readRun(each);
        const growing = [...runs.values()].filter((run) => run.grew).length;
        document.getElementById("told").textContent = !list.length ? "None of the folders given holds a run yet." :
            `${list.length} of them, ${growing ? `${growing} growing right now` : "none growing right now"}. This page updates itself.`;
        tell("");
        draw();
    } catch {
        tell("The server does not answer any more: 'tetralab serve DIR...' starts it.");
    }
    setTimeout(look, document.hidden ? 4 * EVERY : EVERY);
}

applyScheme();
wantsDark.addEventListener("change", applyScheme);
window.addEventListener("resize", draw);
document.getElementById("across").addEventListener("change", draw);
look();
