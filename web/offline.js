// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the page for when there is no network: its files are asked for as always, and taken from here if nobody answers.
// What else a server has (learning runs) is not kept.
const KEPT = "tetralab";
const FILES = ["index.html", "style.css", "icon.svg", "engine.wasm", "app.js", "board.js", "calls.js", "candidates.js", "chart.js",
    "dom.js", "engine.js", "pieces.js", "scheme.js", "state.js", "strategies.js", "view-ask.js", "view-engine.js", "view-learn.js",
    "view-measure.js", "view-play.js", "view-watch.js", "weights.js", "worker.js"];
const addresses = new Set(FILES.map((file) => new URL(file, location).href));
const beginning = new URL("./", location).href;

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function answer(request, address) {
    try {
        const response = await fetch(request);
        if (response.ok)
            (await caches.open(KEPT)).put(address, response.clone());
        return response;
    } catch (error) {
        const kept = await caches.match(address);
        if (kept)
            return kept;
        throw error;
    }
}

self.addEventListener("fetch", (event) => {
    const asked = event.request.url.replace(/[?#].*/, "");
    const address = asked === beginning ? new URL("index.html", location).href : asked;
    if (event.request.method === "GET" && addresses.has(address))
        event.respondWith(answer(event.request, address));
});
