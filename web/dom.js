// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of the page, made in one line; numbers as people read them.

// element("button", {class: "small", onclick: f}, "Start"): children are elements or texts
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on"))
            made.addEventListener(name.slice(2), value);
        else if (value === true)
            made.setAttribute(name, "");
        else if (value !== false && value !== undefined && value !== null)
            made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
}

export function replace(parent, ...children) {
    parent.replaceChildren(...children.flat());
}

export function options(select, pairs, chosen) {
    replace(select, pairs.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
}

// 36200000 -> "36.2 million"; small numbers as they are
export function count(value) {
    if (value === null || value === undefined || !Number.isFinite(value))
        return "∞";
    const units = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]];
    for (const [size, name] of units)
        if (value >= size)
            return `${(value / size).toPrecision(3)} ${name}`;
    return value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

// What is known to three figures at most: 932004 -> "932,000"
export function rounded(value) {
    return count(value === null || value === undefined ? value : Number(value.toPrecision(3)));
}

// 1234567 -> "1.23 M"
export function short(value) {
    const units = [[1e9, " G"], [1e6, " M"], [1e3, " k"]];
    for (const [size, name] of units)
        if (value >= size)
            return (value / size).toPrecision(3) + name;
    return String(Math.round(value));
}

// Weights and values: four figures, a real minus.
export function figure(value, digits = 4) {
    if (value === null || value === undefined)
        return "–";
    return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function duration(seconds) {
    if (seconds < 120)
        return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
    return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
