// SPDX-License-Identifier: GPL-3.0-or-later
// Light or dark: as the system has it, or as the reader has chosen.

const wantsDark = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
try {
    chosen = localStorage.getItem("scheme");
} catch {
    // a browser that keeps nothing
}

function apply() {
    document.documentElement.dataset.scheme = chosen || (wantsDark.matches ? "dark" : "light");
    window.dispatchEvent(new Event("resize")); // canvases are drawn again
}

export function followScheme() {
    apply();
    wantsDark.addEventListener("change", apply);
}

export function switchScheme() {
    chosen = document.documentElement.dataset.scheme === "dark" ? "light" : "dark";
    apply();
    try {
        localStorage.setItem("scheme", chosen);
    } catch {
        // until the page is left, then
    }
}
