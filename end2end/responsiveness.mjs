// Measures the planner under a hand in Chromium against the release binary: milliseconds from the last input event to
// the new headline over random changes, and the longest frames while a slider is dragged:
// `node end2end/responsiveness.mjs [changes] [seed]`.
import { launch, openProfile, visit } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

const changes = Number(process.argv[2] ?? 200);
let state = Number(process.argv[3] ?? 1);
if (!(changes > 0)) throw new Error("usage: node end2end/responsiveness.mjs [changes] [seed]");

/** Numbers from 0 to 1, the same for each seed. */
function random() {
  state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return state / 2 ** 32;
}

const between = (low, high) => low * (high / low) ** random();
const models = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "qwen3-32b", "mixtral-8x7b", "gemma-3-27b", "gpt-oss-120b"];
const kinds = [
  () => ["select[name='model.preset']", models[Math.floor(random() * models.length)]],
  () => ["input[name='training_tokens']", `${(between(1e10, 1e13) / 1e9).toFixed(1)}B`],
  () => ["input[name='budget_usd']", `${(between(1e5, 1e8) / 1e6).toFixed(2)}M`],
  () => ["input[name='deadline_days']", between(10, 500).toFixed(1)],
  () => ["input[name='utilization']", `${(20 + 80 * random()).toFixed(1)}%`],
  () => ["input[name='context_length']", String(2 ** Math.floor(11 + 6 * random()))],
];

/** Changes one field as a hand does, and waits for the headline that follows; null where it says the same as before. */
async function change(page, selector, value) {
  return page.evaluate(
    ([selector, value]) =>
      new Promise((resolve) => {
        const field = document.querySelector(`#planner ${selector}`);
        const results = document.querySelector("#results");
        if (field.value === value) return resolve(null);
        field.value = value;
        const start = performance.now();
        let parsed = 0;
        const observer = new MutationObserver((records) => {
          if (!parsed && records.some((record) => record.type === "childList")) parsed = performance.now();
          if (!parsed || results.classList.contains("is-waiting")) return;
          observer.disconnect();
          // shown with the frame after the next
          requestAnimationFrame(() => setTimeout(() => resolve({ found: parsed - start, shown: performance.now() - start }), 0));
        });
        observer.observe(results, { childList: true, attributes: true });
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
        setTimeout(() => resolve(null), 5_000);
      }),
    [selector, value],
  );
}

/** Drags the slider of a field over its whole width and back; the milliseconds of tasks that blocked the page. */
async function drag(page, name) {
  const slider = page.locator(`input[data-for='${name}']`);
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.evaluate(() => {
    window.blocked = [];
    window.watcher = new PerformanceObserver((list) => window.blocked.push(...list.getEntries().map((e) => e.duration)));
    window.watcher.observe({ type: "longtask" });
  });
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  for (let step = 0; step <= 120; step += 1) {
    const at = 0.5 + 0.35 * Math.sin(step / 19);
    await page.mouse.move(box.x + box.width * at, y);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    window.watcher.disconnect();
    return window.blocked;
  });
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return `p50 ${at(sorted, 0.5).toFixed(0)} ms, p95 ${at(sorted, 0.95).toFixed(0)} ms, longest ${at(sorted, 1).toFixed(0)} ms`;
}

process.env.CLUSTERWRIGHT_RATE_COMPUTE = "off";
const server = await startServer();
const browser = await launch();
try {
  const { page, close } = await openProfile(browser, { baseURL: server.url });
  await visit(page, "/", true);
  const answers = [];
  let unanswered = 0;
  while (answers.length < changes && unanswered < changes) {
    const answer = await change(page, ...kinds[Math.floor(random() * kinds.length)]());
    if (answer) answers.push(answer);
    else unanswered += 1;
    await page.waitForTimeout(60 + 200 * random());
  }
  console.log(`${answers.length} changes (${unanswered} more changed nothing)`);
  console.log(`new headline in the page: ${summary(answers.map((a) => a.found))}`);
  console.log(`and shown: ${summary(answers.map((a) => a.shown))}`);
  for (const name of ["training_tokens", "budget_usd", "utilization"]) {
    const blocked = await drag(page, name);
    console.log(`slider of ${name}: ${blocked.length} tasks over 50 ms, longest ${Math.max(0, ...blocked).toFixed(0)} ms`);
  }
  await close();
} finally {
  await browser.close();
  await server.stop();
}
