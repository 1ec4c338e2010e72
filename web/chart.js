// SPDX-License-Identifier: GPL-3.0-or-later
// Line charts on a canvas: axes with round numbers, lines, bands and points.
import {colour, prepare} from "./board.js";
import {short} from "./dom.js";

const LEFT = 52, RIGHT = 12, TOP = 20, BOTTOM = 30;

function roundSteps(low, high, wanted) {
    const rough = (high - low) / wanted || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
    const ticks = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step)
        ticks.push(Number(tick.toPrecision(12)));
    return ticks;
}

function powersOfTen(low, high) {
    const ticks = [];
    for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * 1.0001; power++)
        ticks.push(10 ** power);
    if (ticks.length < 2)
        return [low, high];
    return ticks.length > 7 ? ticks.filter((_, i) => i % 2 === 0) : ticks;
}

function label(value) {
    return value >= 1e4 ? short(value).replace(/\.0+(?= )/, "").replace(/(\.\d*?)0+(?= )/, "$1") :
        String(Number(value.toPrecision(3))).replace("-", "−");
}

// -> chart  {x: [low, high], y: [low, high], logY, xTitle, yTitle, bands: [{points: [[x, low, high]], colour}],
//            lines: [{points: [[x, y]], colour, width}], dots: [{x, y, size, colour, alpha}], rules: [{y, colour}]}
export function drawChart(canvas, height, chart) {
    const width = canvas.parentElement.clientWidth;
    if (!width)
        return;
    const context = prepare(canvas, width, height);
    const [xLow, xHigh] = chart.x, [yLow, yHigh] = chart.y;
    const scaleY = chart.logY ? (y) => Math.log(Math.max(y, yLow * 0.5)) : (y) => y;
    const px = (x) => LEFT + ((x - xLow) / (xHigh - xLow || 1)) * (width - LEFT - RIGHT);
    const py = (y) => height - BOTTOM - ((scaleY(y) - scaleY(yLow)) / (scaleY(yHigh) - scaleY(yLow) || 1)) * (height - TOP - BOTTOM);
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = colour("grid");
    context.fillStyle = colour("faint");
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const tick of chart.logY ? powersOfTen(yLow, yHigh) : roundSteps(yLow, yHigh, 4)) {
        const y = Math.round(py(tick)) + 0.5;
        context.beginPath();
        context.moveTo(LEFT, y);
        context.lineTo(width - RIGHT, y);
        context.stroke();
        context.fillText(label(tick), LEFT - 6, y);
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const tick of roundSteps(xLow, xHigh, Math.max(4, Math.floor(width / 110)))) {
        if (px(tick) > width - RIGHT - 4 && chart.xTitle)
            continue;
        context.fillText(label(tick), px(tick), height - BOTTOM + 5);
    }
    context.textAlign = "right";
    context.fillText(chart.xTitle || "", width - RIGHT, height - 13);
    context.textAlign = "left";
    context.fillText(chart.yTitle || "", LEFT + 4, 0);

    context.save();
    context.beginPath();
    context.rect(LEFT, TOP - 4, width - LEFT - RIGHT, height - TOP - BOTTOM + 8);
    context.clip();
    for (const band of chart.bands || []) {
        context.globalAlpha = band.alpha || 0.18;
        context.fillStyle = colour(band.colour);
        context.beginPath();
        band.points.forEach(([x, , high], i) => (i ? context.lineTo(px(x), py(high)) : context.moveTo(px(x), py(high))));
        [...band.points].reverse().forEach(([x, low]) => context.lineTo(px(x), py(low)));
        context.fill();
    }
    context.globalAlpha = 1;
    for (const rule of chart.rules || []) {
        context.strokeStyle = colour(rule.colour);
        context.setLineDash([4, 4]);
        context.beginPath();
        context.moveTo(LEFT, py(rule.y));
        context.lineTo(width - RIGHT, py(rule.y));
        context.stroke();
        context.setLineDash([]);
    }
    for (const line of chart.lines || []) {
        context.strokeStyle = line.colour.startsWith("#") ? line.colour : colour(line.colour);
        context.lineWidth = line.width || 2;
        context.lineJoin = "round";
        context.beginPath();
        line.points.forEach(([x, y], i) => (i ? context.lineTo(px(x), py(y)) : context.moveTo(px(x), py(y))));
        context.stroke();
    }
    for (const dot of chart.dots || []) {
        context.globalAlpha = dot.alpha ?? 1;
        context.fillStyle = dot.colour.startsWith("#") ? dot.colour : colour(dot.colour);
        context.beginPath();
        context.arc(px(dot.x), py(dot.y), dot.size, 0, 2 * Math.PI);
        context.fill();
    }
    context.restore();
}

// The least and the most of what is finite, for axes. -> logarithmic  whole powers of ten
export function spanOf(values, {logarithmic = false, zero = false} = {}) {
    const finite = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
    let low = Infinity, high = -Infinity; // by a loop: calls do not take arguments by the hundred thousand
    for (const value of finite) {
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    if (!finite.length)
        return logarithmic ? [1, 10] : [0, 1];
    if (logarithmic)
        return [10 ** Math.floor(Math.log10(low)), Math.max(10 ** Math.ceil(Math.log10(high)), 10 ** (Math.floor(Math.log10(low)) + 1))];
    if (zero)
        low = Math.min(0, low);
    const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    return [zero && low === 0 ? 0 : low - room, high + room];
}
