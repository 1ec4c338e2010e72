// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown, in the address of the page: "#watch?s=bcts&seed=1". A link shows the same to everybody.

export function readAddress() {
    const [view, query = ""] = location.hash.replace(/^#/, "").split(/\?(.*)/s);
    return {view, values: Object.fromEntries(new URLSearchParams(query))};
}

// Values that are undefined or "" are left out.
export function addressOf(view, values) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values))
        if (value !== undefined && value !== "" && value !== null)
            query.set(name, String(value));
    const text = query.toString();
    return `#${view}${text ? `?${text}` : ""}`;
}

let timer = 0;

// Soon, not at once: browsers refuse to have it changed sixty times a second.
export function writeAddress(view, values) {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", addressOf(view, values())), 250);
}

export function writeAddressNow(view, values) {
    clearTimeout(timer);
    history.replaceState(null, "", addressOf(view, values()));
}

// A strategy in an address: a built-in name, or all of it.
export function strategyText(strategy) {
    return typeof strategy === "string" ? strategy : JSON.stringify(strategy);
}

export function strategyOf(text) {
    try {
        return text && text.trim().startsWith("{") ? JSON.parse(text) : text;
    } catch (error) {
        throw new Error(`The strategy in the address cannot be read: ${error.message}`);
    }
}

// A whole number in an address. <- `otherwise` if none is there, or not one from 0 to `most`
export function wholeOf(text, otherwise, most = 1e15) {
    return /^\d{1,15}$/.test(text ?? "") && Number(text) <= most ? Number(text) : otherwise;
}

// The size of a board in an address: what the engine would refuse is not even tried.
export function sizeOf(text, otherwise) {
    return /^\d{1,2}x\d{1,2}$/.test(text ?? "") ? text : otherwise;
}

// A board in an address: a number of base 36 for each column.
export function boardText(columns) {
    return columns.map((column) => column.toString(36)).join(".");
}

export function boardOf(text) {
    return text.split(".").map((column) => parseInt(column, 36) || 0);
}
