// SPDX-License-Identifier: GPL-3.0-or-later
// Engines as the page uses them: each in a worker of its own, asked with an object, answering with a promise.

export class Engine {
    constructor() {
        this.start();
    }

    start() {
        this.waiting = new Map();
        this.next = 1;
        this.worker = new Worker(new URL("worker.js", import.meta.url), {type: "module"});
        this.worker.onmessage = ({data}) => this.take(data);
        this.worker.onerror = (event) => this.fail(event.message || "The engine's worker cannot be started.");
    }

    take({id, answer, error, told}) {
        const call = this.waiting.get(id);
        if (!call)
            return;
        if (told !== undefined) {
            call.tell(told);
            return;
        }
        this.waiting.delete(id);
        if (error !== undefined)
            call.reject(new Error(error));
        else
            call.resolve(answer);
    }

    fail(sentence) {
        for (const call of this.waiting.values())
            call.reject(new Error(sentence));
        this.waiting.clear();
    }

    // -> tell  called with what long work has to say
    ask(request, tell = () => {}) {
        return new Promise((resolve, reject) => {
            const id = this.next++;
            this.waiting.set(id, {resolve, reject, tell});
            this.worker.postMessage({id, request});
        });
    }

    // Ends what it is doing, whatever that is; what was asked is never answered.
    stop() {
        this.worker.terminate();
        this.waiting.clear();
        this.start();
    }
}
