// SPDX-License-Identifier: GPL-3.0-or-later
// The engine: does it play as the program does, and how fast?
import {element, replace, short} from "./dom.js";

const PROGRAM = "174a0a382a3fd6ba"; // what `tetralab bench --signature` prints

export const engineView = {
    name: "engine",
    title: "Engine",
    create(root, page) {
        const rows = new Map();
        const kernels = page.about.kernels;
        const table = element("table", {}, element("tr", {}, element("th", {}, "Kernel"), element("th", {}, "Signature"),
            element("th", {class: "number"}, "Pieces a second")), kernels.map((kernel) => {
            const signature = element("td", {}, "…"), speed = element("td", {class: "number"}, "…");
            rows.set(kernel, {signature, speed});
            return element("tr", {"data-kernel": kernel}, element("td", {}, kernel), signature, speed);
        }));
        const verdict = element("p", {class: "small", id: "verdict"}, "Playing the games of the signature…");
        const again = element("button", {onclick: () => run(), disabled: true}, "Again");
        let alive = true;

        async function run() {
            again.disabled = true;
            try {
                let same = true;
                for (const kernel of kernels) {
                    const {signature} = await page.engine.ask({do: "signature", kernel});
                    rows.get(kernel).signature.replaceChildren(element("code", {}, signature));
                    same &&= signature === PROGRAM;
                }
                verdict.textContent = same ? "All kernels make the same moves as the program on every machine." :
                    "The moves differ from those of the program. This must not be: please report it.";
                for (const kernel of kernels) {
                    const {pieces_per_second} = await page.engine.ask({do: "speed", kernel, strategy: "bcts", seconds: kernel === "reference" ? 0.5 : 1.5});
                    rows.get(kernel).speed.textContent = short(pieces_per_second);
                    rows.get(kernel).speed.dataset.value = pieces_per_second;
                }
                root.dataset.done = "1";
            } catch (error) {
                if (alive)
                    page.tell(error);
            }
            again.disabled = false;
        }
        replace(root, element("div", {class: "lead"}, element("h1", {}, "The engine"),
            element("p", {}, `Version ${page.about.version}: the program's own C code, compiled to WebAssembly.`)),
            element("section", {class: "panel", style: "max-width:46rem"}, table,
                element("p", {class: "small faint", style: "margin:0.8rem 0"}, "The signature is one number for all moves of a fixed set of games, ",
                    "under every rule. simd128 plays eight games side by side, one in each lane of a register; ",
                    "reference is slow on purpose: every feature as its definition reads."),
                element("div", {class: "row"}, again, verdict)),
            element("section", {class: "panel", style: "max-width:46rem;margin-top:1rem"}, element("h2", {}, "Features"),
                element("table", {class: "features"}, page.about.features.map((feature) => element("tr", {},
                    element("td", {style: "white-space:nowrap;vertical-align:top"}, feature.name), element("td", {class: "small"}, feature.meaning))))));
        run();
        return {
            values: () => ({}),
            leave() {
                alive = false;
            },
        };
    },
};
