// SPDX-License-Identifier: GPL-3.0-or-later
// Loads engine.wasm and speaks with it: a request is an object, and so is the answer (src/web/web.h). Used by the
// workers of the page and by Node; it needs nothing but WebAssembly.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What the C library of the module asks its host for. There are no files: whoever opens one is refused.
function hostFunctions(memory, now) {
    const NOT_THERE = -2; // ENOENT
    const BAD_FILE = 8; // of WASI
    const wasi = {
        clock_time_get(clock, precision, at) {
            memory().setBigUint64(at, BigInt(Math.round(now() * 1e6)), true);
            return 0;
        },
        environ_sizes_get(count, bytes) {
            memory().setUint32(count, 0, true);
            memory().setUint32(bytes, 0, true);
            return 0;
        },
        environ_get: () => 0,
        proc_exit(code) {
            throw new Error(`The engine has ended itself with the code ${code}.`);
        },
    };
    const refuse = (value) => () => value;
    return {
        wasi: new Proxy(wasi, {get: (table, name) => table[name] || refuse(BAD_FILE)}),
        env: new Proxy({emscripten_notify_memory_growth() {}},
                       {get: (table, name) => table[name] || refuse(NOT_THERE)}),
    };
}

// -> code  the bytes of engine.wasm, or a compiled module
// -> tell  called with what long work has to say
// <- ask   a function: request -> answer; throws an Error with the engine's sentence
export async function startEngine(code, tell = () => {}) {
    let instance;
    const memory = () => new DataView(instance.exports.memory.buffer);
    const text = (at, length) => decoder.decode(new Uint8Array(instance.exports.memory.buffer, at, length));
    const host = hostFunctions(memory, () => performance.now());
    const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
    instance = await WebAssembly.instantiate(module, {
        page: {tell: (at, length) => tell(JSON.parse(text(at, length)))},
        wasi_snapshot_preview1: host.wasi,
        env: host.env,
    });
    instance.exports._initialize();

    return function ask(request) {
        const bytes = encoder.encode(JSON.stringify(request));
        const room = instance.exports.web_room(bytes.length);
        if (!room)
            throw new Error("The request is too long.");
        new Uint8Array(instance.exports.memory.buffer).set(bytes, room);
        const at = instance.exports.web_ask(bytes.length);
        const all = new Uint8Array(instance.exports.memory.buffer);
        const answer = JSON.parse(decoder.decode(all.subarray(at, all.indexOf(0, at))));
        if (answer.error !== undefined)
            throw new Error(answer.error);
        return answer;
    };
}
