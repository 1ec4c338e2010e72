// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page in Chromium; scripts/web-speed starts it.
// Usage: node tests/web/speed.mjs ADDRESS PROGRAM PLAYWRIGHT_FOLDER CHROMIUM FILE_FOR_THE_LEARNED_PLAYER
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {createRequire} from "node:module";

const [, , address, program, tools, chromiumPath, out] = process.argv;
const {chromium} = createRequire(`${tools}/`)("playwright-core");
const browser = await chromium.launch({executablePath: chromiumPath, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]});
async function open(where) {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(120000);
    await page.goto(address + where);
    return page;
}

let page = await open("#watch?speed=6");
await page.waitForFunction(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 1, null, {polling: "raf"});
console.log(`first move: ${((await page.evaluate(() => performance.now())) / 1000).toFixed(2)} s after the address was opened`);
await page.context().close();

page = await open("#engine");
const speeds = {simd128: [], avx2: []};
for (let round = 0; round < 4; round++) {
    await page.waitForSelector("[data-done]", {state: "attached"});
    const now = await page.evaluate(() => {
        const all = [...document.querySelectorAll("tr[data-kernel]")].map((row) => [row.dataset.kernel, Number(row.lastChild.dataset.value)]);
        document.querySelector("[data-done]").removeAttribute("data-done");
        document.querySelector(".panel button").click();
        return Object.fromEntries(all);
    });
    const native = JSON.parse(execFileSync(program, ["bench", "--kernel", "avx2", "--work", "games", "--jobs", "1", "--seconds", "1", "--json", "-"], {encoding: "utf8"}));
    if (!round)
        continue; // the browser was still compiling
    speeds.simd128.push(now.simd128);
    speeds.avx2.push(native.kernels[0].pieces_per_second);
}
await page.context().close();
const best = Object.fromEntries(Object.entries(speeds).map(([name, all]) => [name, Math.max(...all)]));
for (const [name, value] of Object.entries(best))
    console.log(`${name}: ${(value / 1e6).toFixed(2)} million pieces a second, the best of ${speeds[name].length}${name === "avx2" ? " (the program)" : ""}`);
console.log(`simd128 / avx2: ${(100 * best.simd128 / best.avx2).toFixed(0)} %`);

page = await open("#learn?time=20&go=1");
await page.waitForSelector("[data-done]", {state: "attached"});
await page.getByText("Watch it").click();
await page.waitForFunction(() => location.hash.startsWith("#watch"));
writeFileSync(out, await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("s")));
await browser.close();
