// SPDX-License-Identifier: GPL-3.0-or-later
// Search on pages that were opened from a disk: browsers start no workers there. This runs the theme's search in a hidden
// frame instead, behind the part of Worker's interface that the theme uses.
class IFrameWorker extends EventTarget {
    constructor(url) {
        super();
        const frame = document.createElement("iframe");
        frame.hidden = true;
        document.body.append(frame);
        this.inside = frame.contentWindow;
        this.inside.document.open();
        this.inside.document.write(`<body><script>
            self.postMessage = (data) => parent.postMessage(data, "*");
            self.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((loaded) => {
                const script = document.createElement("script");
                script.src = url;
                script.onload = loaded;
                document.body.append(script);
            })), Promise.resolve());
        <\/script><script src="${url}"><\/script>`);
        this.inside.document.close();
        this.ready = new Promise((loaded) => (this.inside.onload = loaded));
        addEventListener("message", (event) => {
            if (event.source === this.inside) this.dispatchEvent(new MessageEvent("message", {data: event.data}));
        });
    }
    postMessage(data) {
        this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", {data: structuredClone(data)})));
    }
}
window.IFrameWorker = IFrameWorker; // the search looks for this name
if (location.protocol === "file:") window.Worker = IFrameWorker;
