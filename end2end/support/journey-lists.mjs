// Someone looks for a price in the catalog, puts the rows in order, chooses columns, and takes the view along.
import assert from "node:assert/strict";
import { visit } from "./browser.mjs";

/** Runs the journey on a stage, with scripts or without. */
export function testLists(stage, scripts) {
  stage.test("prices are narrowed, ordered and taken along", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await visit(page, "/catalog", scripts);
    const section = page.locator("section#clouds");
    const rows = section.locator("tbody tr");
    const all = await rows.count();
    await section.getByRole("combobox", { name: "Accelerator" }).selectOption("h100-sxm");
    await section.getByRole("combobox", { name: "Paid" }).selectOption("on_demand");
    await section.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/\/catalog\?clouds\.accelerator=h100-sxm&clouds\.term=on_demand/);
    const some = await rows.count();
    assert.ok(some > 5 && some < all, `${some} of ${all}`);

    await section.getByRole("link", { name: "USD per GPU-hour" }).click();
    await page.waitForURL(/clouds\.sort=usd_per_gpu_hour/);
    await section.getByRole("link", { name: "USD per GPU-hour" }).click();
    await page.waitForURL(/clouds\.sort=-usd_per_gpu_hour/);
    const head = section.locator("th[aria-sort]");
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    const prices = await rows.locator("td.n").evaluateAll((all) => all.map((one) => parseFloat(one.firstChild.data.slice(1))));
    assert.deepEqual(prices, prices.toSorted((a, b) => b - a));
    assert.equal(prices.length, some);

    await section.locator(".columns-choice summary").click();
    await section.getByRole("checkbox", { name: "Machine", exact: true }).uncheck();
    await section.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/clouds\.columns=/);
    assert.equal(await section.locator("thead th", { hasText: "Machine" }).count(), 0);

    const file = await section.getByRole("link", { name: /^Download this view of prices as CSV/ }).getAttribute("href");
    const lines = (await (await page.request.get(file)).text()).trim().split("\r\n");
    assert.equal(lines.length, some + 1);
    assert.match(lines[0], /^accelerator,provider,term,usd_per_gpu_hour,usd_per_gpu_hour_source,/);

    await section.getByRole("searchbox", { name: "Words" }).fill("nothing-like-it");
    await section.getByRole("button", { name: "Show" }).click();
    await section.locator(".empty").waitFor();
    await section.locator(".empty").getByRole("link", { name: "Clear filters" }).click();
    await page.waitForURL((url) => !url.search.includes("accelerator=h100"));
    assert.equal(await rows.count(), all);
  });

  stage.test("the past of a price is a chart and a table", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await visit(page, "/catalog", scripts);
    const section = page.locator("section#price-history");
    await section.getByRole("combobox", { name: "Accelerator" }).selectOption("a100-pcie-80");
    await section.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/price-history\.accelerator=a100-pcie-80/);
    assert.match(await section.locator("figcaption h3").innerText(), /^Of \d+ posted prices of NVIDIA A100 PCIe/);
    const names = await section.locator("tbody th").allTextContents();
    assert.ok(names.length > 5 && names.every((name) => name.includes("A100 PCIe")), `${names}`);
  });
}
