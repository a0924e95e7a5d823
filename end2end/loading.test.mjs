// What a page loads, and when; and that it stands still meanwhile.
import assert from "node:assert/strict";
import { scrollThrough, visit } from "./support/browser.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });

// adds up the shifts of layout that no input explains
function watchShifts() {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

stage.test("Plotly is loaded when a chart comes near, and not before", async ({ newVisitor }) => {
  const { page } = await newVisitor({ width: 1280 });
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await visit(page, "/", true);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(requests.filter((path) => path.includes("plotly")), []);
  const outside = requests.filter((path) => !/^\/($|pkg\/|vendor\/|favicon)/.test(path));
  assert.deepEqual(outside, [], "a page loads its own files and nothing else");

  await page.locator("figure[data-figure]").first().scrollIntoViewIfNeeded();
  await page.locator(".js-plotly-plot:visible").first().waitFor();
  assert.ok(requests.some((path) => path.startsWith("/vendor/plotly-basic")));
});

stage.test("the planner stands still while it loads and while charts come in", async ({ newVisitor }) => {
  for (const width of [320, 1280]) {
    const { page } = await newVisitor({ width });
    await page.addInitScript(watchShifts);
    await visit(page, "/", true);
    await page.waitForLoadState("networkidle");
    await scrollThrough(page);
    const shift = await page.evaluate(() => window.shift);
    assert.ok(shift < 0.02, `layout shift is ${shift} at ${width} px`);
  }
});
