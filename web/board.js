// SPDX-License-Identifier: GPL-3.0-or-later
// Draws boards on canvases: cells in the colours of their pieces, and placements that are only thought of.
import {SHAPES} from "./pieces.js";

const colourCache = new Map();
let scheme = "";

// Colours are in the style sheet, so that light and dark are decided in one place.
export function colour(name) {
    const now = document.documentElement.dataset.scheme;
    if (now !== scheme) {
        colourCache.clear();
        scheme = now;
    }
    if (!colourCache.has(name))
        colourCache.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
    return colourCache.get(name);
}

// Makes the canvas as sharp as the screen is. <- its context, in units of the style sheet
export function prepare(canvas, width, height) {
    const scale = window.devicePixelRatio || 1;
    const wide = Math.round(width * scale), high = Math.round(height * scale);
    if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

function pieceColour(letter) {
    return letter === "#" ? colour("filled") : letter === "A" ? colour("attack") : colour(`piece-${letter}`);
}

function drawCell(context, x, y, size, fill) {
    const gap = Math.max(0.5, size * 0.04), radius = size * 0.16;
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(x + gap, y + gap, size - 2 * gap, size - 2 * gap, radius);
    context.fill();
}

function drawOutline(context, x, y, size, stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = Math.max(1, size * 0.09);
    context.beginPath();
    context.roundRect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8, size * 0.14);
    context.stroke();
}

// -> position   {width, cells: rows from the top, as texts}
// -> marks      [{piece, orientation, column, row, kind: "solid" or "outline"}]
export function drawBoard(canvas, position, cellSize, marks = []) {
    const rows = position.cells, width = position.width, height = rows.length;
    const context = prepare(canvas, width * cellSize, height * cellSize);
    context.fillStyle = colour("board");
    context.beginPath();
    context.roundRect(0, 0, width * cellSize, height * cellSize, cellSize * 0.2);
    context.fill();
    rows.forEach((row, y) => [...row].forEach((cell, x) => {
        drawCell(context, x * cellSize, y * cellSize, cellSize, cell === "." ? colour("empty") : pieceColour(cell));
    }));
    for (const mark of marks)
        for (const [dx, dy] of SHAPES[mark.piece][mark.orientation].cells) {
            const x = (mark.column + dx) * cellSize, y = (height - 1 - mark.row - dy) * cellSize;
            if (y < -cellSize / 2)
                continue;
            if (mark.kind === "solid") {
                drawCell(context, x, y, cellSize, pieceColour(mark.piece));
                drawOutline(context, x, y, cellSize, colour("mark"));
            } else {
                drawOutline(context, x, y, cellSize, pieceColour(mark.piece));
            }
        }
}

// A single piece, as it appears.
export function drawPiece(canvas, letter, cellSize) {
    const context = prepare(canvas, 4 * cellSize, 2 * cellSize);
    if (!letter)
        return;
    const shape = SHAPES[letter][0];
    const left = (4 - shape.width) / 2, top = (2 - shape.height) / 2;
    for (const [x, y] of shape.cells)
        drawCell(context, (left + x) * cellSize, (top + shape.height - 1 - y) * cellSize, cellSize, pieceColour(letter));
}

// The size of cells that fits into a space.
export function fittingCell(position, width, height, most = 34) {
    return Math.max(6, Math.min(most, Math.floor(width / position.width), Math.floor(height / position.cells.length)));
}
