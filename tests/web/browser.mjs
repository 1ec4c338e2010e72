// SPDX-License-Identifier: GPL-3.0-or-later
// The page in a real browser, Debian's Chromium without a window: it loads, plays, changes its mind when a weight is
// moved, answers as `tetralab choose` and `explain` do, measures, learns, plays against a person, shows the same by its link, asks
// nobody but its own server, works without a network and complains about nothing; on a desk and on a phone, light and dark.
// Usage: node tests/web/browser.mjs ADDRESS PROGRAM PLAYWRIGHT_FOLDER CHROMIUM [FOLDER_FOR_PICTURES]
import {execFileSync} from "node:child_process";
import {mkdirSync} from "node:fs";
import {createRequire} from "node:module";

const [, , address, program, tools, chromiumPath, pictures] = process.argv;
const {chromium} = createRequire(`${tools}/`)("playwright-core");
const WAIT = 60000; // for a machine that is busy with other things

let failures = 0, checks = 0;
function check(what, good, more = "") {
    checks++;
    if (!good) {
        failures++;
        console.log(`FAILED: ${what} ${more}`);
    }
}

const browser = await chromium.launch({executablePath: chromiumPath, headless: true, timeout: WAIT,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]});
const complaints = [], strangers = [];

async function open(where, {width = 1280, height = 900, scheme = "light"} = {}) {
    const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme, hasTouch: width < 600, isMobile: width < 600});
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT);
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => request.url().startsWith(address) || request.url().startsWith("blob:") || strangers.push(request.url()));
    await page.goto(address + where);
    return page;
}
const close = (page) => page.context().close();
const piecesShown = (page) => page.evaluate(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent.replaceAll(",", "")) || 0);
const firstCard = (page) => page.getAttribute(".card", "aria-label");
const moveOf = (label) => label.match(/orientation (\d+), column (\d+)/).slice(1).map(Number);

// ---- loads and plays
let page = await open("");
await page.waitForFunction(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 1);
const sinceLoad = await page.evaluate(() => performance.now());
console.log(`first move ${(sinceLoad / 1000).toFixed(2)} s after the address was opened`);
await page.waitForFunction(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 4);
await page.keyboard.press("Space");
const paused = await piecesShown(page);
await page.keyboard.press("ArrowRight");
await page.waitForFunction((before) => Number(document.querySelectorAll(".numbers b")[1].textContent) === before + 1, paused);
await page.keyboard.press("ArrowLeft");
await page.waitForFunction((before) => Number(document.querySelectorAll(".numbers b")[1].textContent) === before, paused);
check("it plays, pauses, steps and goes back", (await piecesShown(page)) === paused);
await close(page);

// ---- a slider changes the move, and the link shows the same
page = await open("#watch?s=bcts&run=0&n=40&l0=10&b0=3.7.7.5.f.7.3.3.7.0");
await page.waitForSelector(".card");
await page.waitForFunction(() => document.querySelector(".card").getAttribute("aria-label"));
const before = await firstCard(page);
const address0 = await page.evaluate(() => location.hash);
await page.locator(".slider input").nth(3).fill("36"); // row transitions: the more the better
await page.waitForFunction((old) => document.querySelector(".card").getAttribute("aria-label") !== old, before);
check("another weight, another move", String(moveOf(await firstCard(page))) !== String(moveOf(before)), before);
await page.waitForFunction((old) => location.hash !== old && location.hash.includes("weights"), address0);
const link = await page.evaluate(() => location.hash);
const shown = await page.evaluate(() => document.querySelector(".gameboard").toDataURL() + document.querySelector(".card").getAttribute("aria-label"));
await close(page);
page = await open(link);
await page.waitForFunction(() => document.querySelector(".card")?.getAttribute("aria-label"));
check("a link shows the same board and the same move", shown === await page.evaluate(() =>
    document.querySelector(".gameboard").toDataURL() + document.querySelector(".card").getAttribute("aria-label")));
await close(page);

// ---- two players with the same pieces; full speed
page = await open("#watch?s=bcts&s2=dellacherie&speed=13");
await page.waitForFunction(() => document.querySelectorAll(".gameboard").length === 2 &&
    Number(document.querySelectorAll(".numbers b")[1].textContent.replaceAll(",", "")) > 2000);
check("two boards", (await page.locator(".gameboard").count()) === 2);
await close(page);

// ---- a drawn board has the answer of the program
page = await open("#ask?b=0.0.0.0.0.0.0.0.0.0&piece=J");
await page.waitForSelector(".card[aria-label]");
const board = page.locator("canvas.editor");
const box = await board.boundingBox();
const cell = box.width / 10;
const columns = Array(10).fill(0);
for (const [x, y] of [[0, 0], [1, 0], [2, 0], [4, 0], [5, 0], [5, 1], [7, 0], [8, 0], [8, 1], [8, 2]]) {
    await page.mouse.click(box.x + (x + 0.5) * cell, box.y + box.height - (y + 0.5) * cell);
    columns[x] |= 1 << y;
}
await page.waitForFunction((wanted) => location.hash.includes(`b=${wanted}`), columns.map((each) => each.toString(36)).join("."));
await page.waitForTimeout(300);
const answer = JSON.parse(execFileSync(program, ["choose", "bcts"], {input: JSON.stringify({board: columns, piece: "J"}), encoding: "utf8"}));
const [orientation, column] = moveOf(await firstCard(page));
check("the move that the program chooses", orientation === answer.orientation && column - 1 === answer.column,
    JSON.stringify([orientation, column, answer.orientation, answer.column]));
const rows = [2, 1, 0].map((y) => columns.map((each) => (each >> y & 1 ? "#" : ".")).join("")).join("\n");
const explained = JSON.parse(execFileSync(program, ["explain", "bcts", "--position", "-", "--piece", "J", "--json", "-"],
    {input: `${rows}\n`, encoding: "utf8"}));
check("and explains", orientation === explained.orientation && column - 1 === explained.column && explained.value === answer.value);
const bars = await page.locator(".bar .sum b").allTextContents();
check("the bars add up to the value", Math.abs(Number(bars.pop().replace("−", "-")) / answer.value - 1) < 1e-3, answer.value);
await board.focus();
await page.keyboard.press("Space"); // empties the cell in the corner
await page.waitForFunction(() => location.hash.includes("b=0.1."));
await close(page);

// ---- a pasted strategy, right and wrong
page = await open("#watch?run=0");
await page.waitForSelector("select[aria-label=Player]");
await page.selectOption("select[aria-label=Player]", "paste");
await page.fill("dialog textarea", '{"name": "mine", "weights": {"hole": -1}}');
await page.click("dialog button.main");
await page.waitForFunction(() => document.querySelector("dialog [role=alert]").textContent.includes('did you mean "holes"'));
await page.fill("dialog textarea", '{"name": "mine", "weights": {"holes": -1, "landing-height": -1}}');
await page.click("dialog button.main");
await page.waitForFunction(() => document.querySelector(".seat h3").textContent === "mine");
check("a pasted strategy plays", (await page.locator(".slider").count()) === 2);
await close(page);

// ---- measuring and learning
page = await open("#measure?s=dt-10&board=10x10&precision=20&go=1");
await page.waitForSelector("[data-done]", {state: "attached"});
const mean = Number((await page.textContent("#mean")).replaceAll(",", ""));
check("the mean of dt-10 on 10x10", mean > 3500 && mean < 7000, mean);
await close(page);

page = await open("#learn?time=10&go=1");
await page.waitForSelector("[data-done]", {state: "attached"});
const lines = Number((await page.textContent("#lines")).replaceAll(",", ""));
check("learning rises", lines >= 300, lines);
console.log(`learned in 10 s: ${lines} lines by its own curve`);
await page.getByText("Watch it").click();
await page.waitForFunction(() => location.hash.startsWith("#watch") && Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 1);
await close(page);

// ---- a person plays with keys, and with a finger
page = await open("#play");
await page.waitForFunction(() => document.querySelector(".gameboard")?.width > 0 && document.querySelectorAll(".seat h3")[1].textContent === "dellacherie");
const boards = () => page.evaluate(() => [...document.querySelectorAll(".gameboard")].map((each) => each.toDataURL()).join(" "));
for (const key of ["ArrowLeft", "ArrowUp", "Space"]) {
    const old = await boards();
    await page.keyboard.press(key);
    await page.waitForFunction((was) => [...document.querySelectorAll(".gameboard")].map((each) => each.toDataURL()).join(" ") !== was, old)
        .catch(() => check(`${key} does something`, key === "ArrowUp")); // O has one orientation
}
await close(page);
page = await open("#play", {width: 390, height: 844});
await page.waitForFunction(() => document.querySelector(".gameboard")?.width > 0);
const old = await boards();
await page.tap('button[aria-label="Drop"]');
await page.waitForFunction((was) => [...document.querySelectorAll(".gameboard")].map((each) => each.toDataURL()).join(" ") !== was, old);
await close(page);

// ---- the engine in the browser
page = await open("#engine");
await page.waitForSelector("[data-done]", {state: "attached"});
const wanted = execFileSync(program, ["bench", "--signature"], {encoding: "utf8"}).match(/[0-9a-f]{16}/)[0];
check("the signature of the program in Chromium", (await page.locator("tr[data-kernel] code").allTextContents()).every((each) => each === wanted));
const speeds = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("tr[data-kernel]")].map((row) =>
    [row.dataset.kernel, Number(row.lastChild.dataset.value)])));
console.log(`pieces a second in Chromium: ${JSON.stringify(speeds)}`);
await close(page);

// ---- links that nobody should follow: a sentence, and nothing to copy into a shell
for (const [where, sentence] of [["#watch?s={&run=0", "cannot be read"], ["#watch?s=bcts&s2=nobody&speed=-1&run=0", "nobody"],
    ["#ask?s=bcts;reboot", "reboot"], ["#ask?piece=T\"}'%20|%20reboot", "piece"], ["#ask?board=99x99", "board"]]) {
    page = await open(where);
    await page.waitForFunction((words) => [...document.querySelectorAll("#trouble, .wait")].some((each) => each.textContent.includes(words)), sentence)
        .catch(() => check(`${where} gives a sentence`, false));
    check(`${where} shows no command`, !(await page.locator("main code").allTextContents()).join("").includes("tetralab"));
    await close(page);
}
page = await open("#watch?s=bcts&seed=0&speed=0&run=0");
await page.waitForSelector(".card[aria-label]");
check("0 in a link is 0", (await page.inputValue("input[aria-label=Seed]")) === "0" && (await page.inputValue("input[aria-label=Speed]")) === "0");
await close(page);

// ---- without a network
page = await open("");
await page.waitForFunction(() => navigator.serviceWorker.controller);
await page.context().setOffline(true);
await page.reload();
await page.waitForFunction(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 1);
await page.evaluate(() => (location.hash = "#measure?s=dt-10&board=10x10&precision=100&go=1"));
await page.waitForSelector("[data-done]", {state: "attached"});
check("it plays and measures without a network", Number((await page.textContent("#mean")).replaceAll(",", "")) > 1000);
await close(page);

// ---- runs
page = await open("runs.html");
await page.waitForFunction(() => document.querySelector("tr[data-run] td:nth-child(2)")?.textContent >= 1);
await page.getByText("Watch its player").first().click();
await page.waitForFunction(() => Number(document.querySelectorAll(".numbers b")[1]?.textContent) >= 1);
await close(page);

// ---- every view on a desk and on a phone, light and dark: nothing sticks out
for (const [width, height] of [[1280, 900], [390, 844]])
    for (const scheme of ["light", "dark"]) {
        page = await open("", {width, height, scheme});
        for (const view of ["watch", "ask", "measure", "learn", "play", "engine"]) {
            await page.evaluate((name) => (location.hash = `#${name}`), view);
            await page.waitForFunction((name) => document.querySelector("#views a[aria-current]")?.dataset.view === name && document.querySelector("main h1"), view);
            await page.waitForTimeout(200);
            check(`${view} fits ${width} pixels`, await page.evaluate((wide) => document.documentElement.scrollWidth <= wide + 1, width));
            if (pictures) {
                mkdirSync(pictures, {recursive: true});
                await page.screenshot({path: `${pictures}/${view}-${width}-${scheme}.png`, fullPage: true});
            }
        }
        await close(page);
    }

check("no complaints on the console", !complaints.length, complaints.slice(0, 5).join("; "));
check("nobody else was asked", !strangers.length, strangers.slice(0, 5).join("; "));
await browser.close();
console.log(`${checks} checks in Chromium, ${failures} failed.`);
process.exit(failures ? 1 : 0);
