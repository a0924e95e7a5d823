// Charts that are read together, and points that lead somewhere.
import assert from "node:assert/strict";
import { scrollThrough, visit } from "./support/browser.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });

/**
 * Scrolls to a plot and returns the box of a part of it once it stands still: sections are laid out when they come near,
 * which may move what was scrolled to.
 */
async function settled(page, plot, part) {
  let box = null;
  for (let before; !box || JSON.stringify(box) !== before; ) {
    before = JSON.stringify(box);
    await plot.scrollIntoViewIfNeeded();
    await page.waitForTimeout(150);
    box = await part.boundingBox();
  }
  return box;
}

stage.test("a month that is pointed at in one chart is marked in the other", async ({ newVisitor }) => {
  const { page } = await newVisitor({ width: 1280 });
  await visit(page, "/", true);
  await scrollThrough(page);
  for (const [from, to] of [
    ["cost-by-month", "by-month"],
    ["by-month", "cost-by-month"],
  ]) {
    const plot = page.locator(`#fig-${from} .nsewdrag`);
    const box = await settled(page, plot, plot);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2);
    await page.locator(`#fig-${to} .hoverlayer .legend, #fig-${to} .hoverlayer .hovertext`).first().waitFor({ state: "attached" });
    await page.mouse.move(2, 2);
    await page.waitForFunction((id) => !document.querySelector(`#fig-${id} .hoverlayer`).hasChildNodes(), to);
  }
});

stage.test("a click on the frontier plans with that cluster, as its link in the table does", async ({ newVisitor }) => {
  const { page } = await newVisitor({ width: 1280 });
  await visit(page, "/", true);
  await scrollThrough(page);
  const plot = page.locator("#fig-frontier .nsewdrag");
  const point = await settled(page, plot, page.locator("#fig-frontier .scatterlayer .point").first());
  await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(/max_gpus=\d+/);
  assert.match(page.url(), /accelerators=[a-z0-9-]+/);
});
