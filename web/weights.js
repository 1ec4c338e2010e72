// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders for the weights of a strategy.
import {element, replace, figure} from "./dom.js";

const STEPS = 400; // from one end of a slider to the other

// The weights as [feature, index or null, number].
function weightsOf(strategy) {
    return Object.entries(strategy.weights || {}).flatMap(([name, weight]) =>
        Array.isArray(weight) ? weight.map((each, index) => [name, index, each]) : [[name, null, weight]]);
}

function setWeight(strategy, name, index, value) {
    if (index === null)
        strategy.weights[name] = value;
    else
        strategy.weights[name][index] = value;
}

// -> strategy  is changed by the sliders; changed() is called each time
export function weightSliders(about, strategy, changed) {
    const original = structuredClone(strategy);
    const root = element("div", {class: "sliders"});
    const meaning = Object.fromEntries(about.features.map((feature) => [feature.name, feature.meaning]));
    const fill = () => {
        const weights = weightsOf(strategy);
        const first = new Map(weightsOf(original).map(([name, index, weight]) => [`${name} ${index}`, weight]));
        const most = Math.max(...[...first.values()].map(Math.abs), 1e-9) * 1.5;
        replace(root, weights.map(([name, index, weight]) => {
            const before = first.get(`${name} ${index}`);
            const label = index === null ? name : `${name} ${index + 1}`;
            const output = element("output", {}, figure(weight));
            const range = element("input", {
                type: "range", min: -most, max: most, step: (2 * most) / STEPS, value: weight, "aria-label": label,
                oninput: () => {
                    const value = Number(Number(range.value).toPrecision(4));
                    output.textContent = figure(value);
                    row.classList.toggle("changed", Math.abs(value - before) > most / STEPS);
                    setWeight(strategy, name, index, value);
                    changed();
                },
            });
            const row = element("div", {class: "slider", title: meaning[name]}, element("span", {}, label), output, range);
            row.classList.toggle("changed", Math.abs(weight - before) > most / STEPS);
            return row;
        }));
        if (!weights.length)
            replace(root, element("p", {class: "small faint"}, "This strategy has no weights."));
    };
    fill();
    return {
        root,
        reset() {
            strategy.weights = structuredClone(original.weights);
            fill();
            changed();
        },
    };
}
