// SPDX-License-Identifier: GPL-3.0-or-later
// engine.wasm in Node: it plays the moves of the program, on every kernel, and refuses what is wrong with a sentence.
// Usage: node tests/web/engine.mjs FOLDER_OF_THE_PAGE ENGINE.MJS PROGRAM
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";

const [, , folder, loader, program] = process.argv;
const {startEngine} = await import(loader);
let failures = 0, checks = 0;
function check(what, good, more = "") {
    checks++;
    if (!good) {
        failures++;
        console.log(`FAILED: ${what} ${more}`);
    }
}
const told = [];
const code = readFileSync(`${folder}/engine.wasm`);
const ask = await startEngine(code, (each) => told.push(each));

check("the module has at most 500 KiB", code.length <= 500 * 1024, code.length);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(code)).map((each) => each.module);
check("it asks for nothing but a page, a clock and files that are not there",
    imports.every((each) => ["page", "env", "wasi_snapshot_preview1"].includes(each)), imports);

const wanted = execFileSync(program, ["bench", "--signature"], {encoding: "utf8"}).match(/[0-9a-f]{16}/)[0];
for (const kernel of ask({do: "about"}).kernels)
    check(`the signature of ${kernel}`, ask({do: "signature", kernel}).signature === wanted);

// Positions of games, and the moves of `tetralab choose` there.
const questions = [], answers = [];
for (let k = 0; k < 40; k++) {
    const position = ask({do: "game-open", strategy: "bcts", rules: {board: "10x12"}, seed: k + 1, pieces: 5 + 7 * k});
    if (position.over)
        continue;
    const question = {board: position.board, piece: position.piece, next: position.next};
    questions.push(JSON.stringify(question));
    for (const strategy of ["dellacherie", "fahey"])
        answers.push(ask({do: "rank", strategy, rules: {board: "10x12"}, position: question}).moves[0]);
}
const lines = ["dellacherie", "fahey"].map((strategy) => execFileSync(program, ["choose", strategy, "--board", "10x12"],
    {input: questions.join("\n"), encoding: "utf8"}).trim().split("\n").map((line) => JSON.parse(line)));
answers.forEach((answer, k) => {
    const said = lines[k % 2][Math.floor(k / 2)];
    check(`question ${k}`, said.orientation === answer.orientation && said.column === answer.column &&
        Math.abs(said.value - answer.value) < 1e-9, JSON.stringify([said, answer.orientation, answer.column, answer.value]));
});

// A game goes on with other weights and the same pieces; it can be gone back in; a board of a link is that board.
const first = ask({do: "game-open", strategy: "bcts", seed: 7});
const pieces = [first.piece];
let changed = 0;
for (let k = 0; k < 15; k++) {
    const before = ask({do: "game-look", rank: true}).ranking.moves[0];
    const now = ask({do: "game-strategy", strategy: {name: "x", weights: {holes: k % 2 ? -4 : 4, "landing-height": -1}}, rank: true}).ranking.moves[0];
    changed += before.orientation !== now.orientation || before.column !== now.column;
    pieces.push(ask({do: "game-step"}).piece);
}
check("other weights, other moves", changed > 0);
ask({do: "game-open", strategy: "bcts", seed: 7});
const same = [first.piece];
for (let k = 0; k < 15; k++)
    same.push(ask({do: "game-step"}).piece);
check("the pieces do not depend on the weights", pieces.join("") === same.join(""), `${pieces.join("")} ${same.join("")}`);
const later = ask({do: "game-step", moves: 5}), back = [1, 2, 3, 4, 5].map(() => ask({do: "game-back"})).pop();
check("five moves back", later.pieces - back.pieces === 5);
const linked = ask({do: "game-open", table: 1, strategy: "bcts", seed: 7, pieces: back.pieces, lines: back.lines, board: back.board});
check("a game from a link", linked.piece === back.piece && linked.next === back.next && String(linked.board) === String(back.board));
const far = ask({do: "game-step", moves: 100000});
check("a hundred thousand moves at once", far.pieces === back.pieces + 100000 && far.cells.join("").match(/[OISZLJT]/));

// A match: five rounds of a person who puts everything to the left.
let match = ask({do: "match-open", seats: [null, "dellacherie"], seed: 3});
for (let k = 0; k < 5; k++)
    match = ask({do: "match-round", orientation: 0, column: 0});
check("both have put down five pieces", match.seats.every((seat) => seat.pieces === 5));
while (!match.over)
    match = ask({do: "match-round", orientation: 0, column: 0});
check("whoever piles everything up loses", match.winner === 1, JSON.stringify(match.winner));

// Long work tells what it knows, and comes to what the program comes to.
const mean = ask({do: "measure", strategy: "dt-10", rules: {board: "10x10"}, precision: 30, seed: 1});
const measured = JSON.parse(execFileSync(program, ["measure", "dt-10", "--board", "10x10", "--precision", "30%", "--json", "-", "--jobs", "1"],
    {encoding: "utf8"}));
const row = (measured.results || measured.strategies || [measured])[0];
check("the mean of the program", Math.abs(mean.mean / row.mean_lines - 1) < 1e-9, `${mean.mean} ${row.mean_lines}`);
told.length = 0;
const learned = ask({do: "learn", rules: {board: "10x10"}, settings: {features: "dellacherie", generations: "12"}, seed: 1});
check("twelve generations are told, each with its candidates", told.length === 12 && told.every((each) => each.population.length >= 5));
check("learning rises", told[11].curve > 5 * told[0].curve, `${told[0].curve} ${told[11].curve}`);
check("what was learned can be played", ask({do: "game-open", strategy: learned.strategy, pieces: 50}).pieces > 0);

// What is wrong gets a sentence.
for (const request of [{do: "dance"}, {}, {do: "rank"}, {do: "rank", strategy: "bct", position: {piece: "T"}}, {do: "game-step", table: 9},
    {do: "game-step", moves: -1}, {do: "game-step", table: 3}, {do: "rank", strategy: "/etc/passwd", position: {piece: "T"}},
    {do: "rank", strategy: {player: "tbp", command: ["x"]}, position: {piece: "T"}}, {do: "game-open", strategy: "bcts", rules: {board: "99x99"}},
    {do: "game-open", strategy: "bcts", rules: {colour: "red"}}, {do: "game-open", strategy: "bcts", board: [1]},
    {do: "game-open", strategy: "bcts", board: Array(10).fill(1)}, {do: "rank", strategy: "bcts", position: {piece: "T", board: "x"}},
    {do: "match-open", seats: [null]}, {do: "learn", settings: {colour: "red"}}, {do: "learn", settings: {games: "-1"}},
    {do: "measure", strategy: "{", precision: 5}, {do: "speed", strategy: "bcts", kernel: "avx2"}]) {
    let sentence = "";
    try {
        ask(request);
    } catch (error) {
        sentence = error.message;
    }
    check(`a sentence for ${JSON.stringify(request)}`, sentence.length > 10 && sentence.length < 512, sentence);
}
console.log(`${checks} checks of the engine, ${failures} failed.`);
process.exit(failures ? 1 : 0);
