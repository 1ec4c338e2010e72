// SPDX-License-Identifier: GPL-3.0-or-later
// A worker with an engine in it. It gets {id, request} and posts {id, answer} or {id, error}; long work posts
// {id, told} while it runs.
import {startEngine} from "./engine.js";

let current;
const engine = fetch(new URL("engine.wasm", import.meta.url))
    .then((response) => {
        if (!response.ok)
            throw new Error(`engine.wasm cannot be loaded (${response.status}).`);
        return response.arrayBuffer(); // not streamed: some hosts do not know what kind of file it is
    })
    .then((bytes) => startEngine(bytes, (told) => postMessage({id: current, told})));

onmessage = async ({data: {id, request}}) => {
    try {
        const ask = await engine;
        current = id;
        postMessage({id, answer: ask(request)});
    } catch (error) {
        postMessage({id, error: error.message});
    }
};
