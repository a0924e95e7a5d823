// Paper, and colors that the system forces.
import assert from "node:assert/strict";
import { scrollThrough, visit } from "./support/browser.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });

stage.test("on paper a plan says its inputs, and its charts are the wide drawings", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await visit(page, "/?model.preset=llama-3.1-70b&training_tokens=2T&utilization=60", true);
  await scrollThrough(page);
  assert.ok(await page.locator(".given").isHidden(), "on the planner the form says the inputs");
  assert.ok(await page.locator(".footnotes").isHidden(), "on a screen a figure opens how it came about");
  await page.emulateMedia({ media: "print" });
  const given = await page.locator(".given").innerText();
  assert.ok(given.includes("Llama 3.1 70B") && given.includes("2T") && given.includes("60%"), given);
  for (const gone of [".planner-side", ".save", ".subnav", ".figure-plotly", ".chart-narrow", ".why summary"]) {
    assert.equal(await page.locator(`${gone}:visible`).count(), 0, gone);
  }
  const notes = await page.locator(".footnotes li").count();
  assert.ok(notes >= 4 && (await page.locator(".footnotes").isVisible()), `${notes} notes say how figures came about`);
  const numbers = await page.locator("[data-note]").evaluateAll((all) => all.map((one) => Number(one.dataset.note)));
  assert.deepEqual(numbers, [1, 2, 3, 4].slice(0, numbers.length));
  const charts = await page.locator(".figure").count();
  assert.equal(await page.locator(".chart-wide:visible").count(), charts);
});

stage.test("on paper no column of a table is cut off", async ({ newVisitor }) => {
  // the width of a landscape page of A4 within its margins
  const { page } = await newVisitor({ width: 1046 });
  for (const path of ["/catalog", "/validation"]) {
    await visit(page, path, true);
    await page.emulateMedia({ media: "print" });
    const wide = await page.locator(".data").evaluateAll((all) => all.filter((t) => t.offsetWidth > 1046).length);
    assert.equal(wide, 0, path);
  }
});

stage.test("forced colors leave the parts of a chart apart", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await page.emulateMedia({ forcedColors: "active" });
  await visit(page, "/", true);
  const fills = await page
    .locator("#fig-step-time .chart-wide .fl")
    .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fill))]);
  assert.ok(fills.length >= 3, `${fills}`);
  await scrollThrough(page);
  const drawn = await page
    .locator(".js-plotly-plot .bars path")
    .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fill))]);
  assert.ok(drawn.length >= 3, `${drawn}`);
});
