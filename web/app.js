// SPDX-License-Identifier: GPL-3.0-or-later
// The page: one view at a time, light or dark, and the engine that all views share.
import {Engine} from "./calls.js";
import {element, replace} from "./dom.js";
import {followScheme, switchScheme} from "./scheme.js";
import {readAddress, writeAddressNow, addressOf} from "./state.js";
import {watchView} from "./view-watch.js";
import {askView} from "./view-ask.js";
import {measureView} from "./view-measure.js";
import {learnView} from "./view-learn.js";
import {playView} from "./view-play.js";
import {engineView} from "./view-engine.js";

const VIEWS = [watchView, askView, measureView, learnView, playView, engineView];

// ---- trouble

function tell(error) {
    const place = document.getElementById("trouble");
    place.textContent = error ? error.message || String(error) : "";
    place.hidden = !error;
}

// ---- views

// What views share. `open` goes to another view with values for its address.
const page = {
    engine: new Engine(),
    about: null,
    tell,
    open(view, values) {
        location.hash = addressOf(view, values);
    },
};
let shown = null;

function show() {
    const {view, values} = readAddress();
    const wanted = VIEWS.find((each) => each.name === view) || VIEWS[0];
    shown?.leave?.();
    shown = null;
    tell(null);
    for (const link of document.querySelectorAll("#views a"))
        if (link.dataset.view === wanted.name)
            link.setAttribute("aria-current", "page");
        else
            link.removeAttribute("aria-current");
    document.title = `${wanted.title} · Tetralab`;
    const root = element("div", {});
    replace(document.getElementById("view"), root);
    try {
        shown = wanted.create(root, page, values);
        shown.view = wanted.name;
    } catch (error) { // an address may say anything
        replace(root, element("p", {class: "wait"}, error.message));
    }
}

async function copyLink() {
    if (shown?.values)
        writeAddressNow(shown.view, shown.values);
    const button = document.getElementById("link");
    try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = "The link is copied";
    } catch {
        button.textContent = "The link is in the address bar";
    }
    setTimeout(() => (button.textContent = "Copy a link to this view"), 2500);
}

async function start() {
    followScheme();
    document.getElementById("theme").addEventListener("click", switchScheme);
    document.getElementById("link").addEventListener("click", copyLink);
    replace(document.getElementById("views"),
            VIEWS.map((view) => element("a", {href: `#${view.name}`, "data-view": view.name}, view.title)));
    try {
        page.about = await page.engine.ask({do: "about"});
    } catch (error) {
        replace(document.getElementById("view"), element("p", {class: "wait"}, error.message));
        return;
    }
    show();
    window.addEventListener("hashchange", show);
    navigator.serviceWorker?.register("offline.js").catch(() => {}); // not everywhere; the page works without it
}

start();
