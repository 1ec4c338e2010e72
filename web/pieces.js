// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of the pieces, as the engine has them (include/tetralab.h): orientation 0 is how a piece appears, each
// next one is turned counter-clockwise. A shape is a list of [column, row] from its left and lowest cell.

export const LETTERS = "OISZLJT";

const APPEARS = {
    O: ["##", "##"],
    I: ["####"],
    S: [".##", "##."],
    Z: ["##.", ".##"],
    L: ["###", "#.."],
    J: ["###", "..#"],
    T: ["###", ".#."],
};
const ORIENTATIONS = {O: 1, I: 2, S: 2, Z: 2, L: 4, J: 4, T: 4};

function turned(rows) {
    const width = rows[0].length;
    return Array.from({length: width}, (_, y) => rows.map((row) => row[width - 1 - y]).join(""));
}

function cellsOf(rows) {
    const cells = [];
    rows.forEach((row, y) => [...row].forEach((cell, x) => {
        if (cell === "#")
            cells.push([x, rows.length - 1 - y]);
    }));
    return cells;
}

export const SHAPES = Object.fromEntries([...LETTERS].map((letter) => {
    const shapes = [];
    let rows = APPEARS[letter];
    for (let o = 0; o < ORIENTATIONS[letter]; o++) {
        shapes.push({cells: cellsOf(rows), width: rows[0].length, height: rows.length});
        rows = turned(rows);
    }
    return [letter, shapes];
}));

// Where a piece that falls straight down comes to rest. -> board  columns as numbers, bit 0 the floor
export function landingRow(board, letter, orientation, column) {
    let row = 0;
    for (const [x, y] of SHAPES[letter][orientation].cells) {
        const below = board[column + x];
        const height = below ? 32 - Math.clz32(below) : 0;
        row = Math.max(row, height - y);
    }
    return row;
}
