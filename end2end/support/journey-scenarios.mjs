// A scenario with a history: two tabs that meet, versions, texts, the list, and comparing.
import assert from "node:assert/strict";
import { findings } from "./axe.mjs";
import { visit } from "./browser.mjs";
import { themes, widths } from "./pages.mjs";
import { change, plainText, save } from "./planner.mjs";

/** Opens a scenario in the planner, with other tokens; ends on the planner. */
async function open(page, scenario, tokens, scripts) {
  await visit(page, scenario, scripts);
  await page.getByRole("link", { name: "Open in the planner" }).click();
  await page.waitForURL((address) => address.searchParams.has("_scenario"));
  if (scripts) await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
  await change(page, "training_tokens", tokens, scripts);
}

function newVersion(page) {
  return page.getByRole("button", { name: /^Save as a new version of / });
}

async function versions(page) {
  return (await page.locator(".history tbody th").allTextContents()).map(plainText);
}

/** Defines the tests on a stage. */
export function testScenarios(stage) {
  const { scripts } = stage;

  stage.test("two tabs meet, both are shown, and nothing is lost", async ({ newVisitor }) => {
    const { page: first, complaints } = await newVisitor();
    await visit(first, "/", scripts);
    await save(first, "Autumn run");
    const scenario = new URL(first.url()).pathname;
    const second = await first.context().newPage();

    await open(first, scenario, "1.5T", scripts);
    await open(second, scenario, "2T", scripts);
    await newVersion(second).click();
    await second.waitForURL(/saved=1/);
    assert.deepEqual(await versions(second), ["Version 2current", "Version 1"]);

    complaints.expect(412, "/api/fn/save_version");
    await newVersion(first).click();
    await first.getByRole("heading", { name: "You have saved a version since, in another tab or window" }).waitFor();
    const row = first.locator(".comparison tr", { hasText: "Training tokens" });
    assert.match(plainText(await row.innerText()), /2,000,000,000,000 tokens.*1,500,000,000,000 tokens/);
    assert.match(plainText(await first.locator(".compared").innerText()), /Saved: version 2.*Yours, not saved/);
    await first.getByRole("button", { name: "Save mine as the newest version" }).click();
    await first.waitForURL(/saved=1/);
    if (scripts) {
      // the page of the conflict was the answer to a form: a step back leads to the scenario instead
      await first.goBack();
      assert.equal(new URL(first.url()).pathname, scenario);
      await first.goForward();
    }
    assert.deepEqual(await versions(first), ["Version 3current", "Version 2", "Version 1"]);
    assert.match(await first.locator(".given").innerText(), /1\.5T tokens/);

    // the choices are the two newest
    await first.getByRole("button", { name: "Compare the two chosen versions" }).click();
    await first.waitForURL(/\/difference\?/);
    assert.match(await first.locator("h1").innerText(), /Version 2 and version 3/);
    assert.equal(await first.locator(".comparison tbody tr:not(.comparison-group):not(:has(.differs))").count(), 0);
    await first.goBack();
    await first.getByRole("button", { name: "Restore version 1" }).click();
    await first.waitForURL(/restored=1/);
    assert.equal((await versions(first)).length, 4);
    await first.getByText("restored from 1").waitFor();

    await first.getByRole("link", { name: "Plan again with today's prices" }).click();
    await first.getByText("give the same figures as the frozen plan").waitFor();
    await first.getByRole("button", { name: "Keep as a new version" }).click();
    await first.waitForURL(/saved=1/);
    await first.getByText("planned again").waitFor();
  });

  stage.test("notes of two tabs meet, too", async ({ newVisitor }) => {
    const { page: first, complaints } = await newVisitor();
    await visit(first, "/", scripts);
    await save(first, "Noted");
    const second = await first.context().newPage();
    for (const page of [first, second]) {
      await visit(page, new URL(first.url()).pathname, scripts);
      await page.locator("#describe summary").click();
    }
    await second.getByRole("textbox", { name: "Notes" }).fill("Theirs");
    await second.getByRole("button", { name: "Save notes and tags" }).click();
    await second.waitForURL(/described=1/);
    complaints.expect(412, "/api/fn/describe_scenario");
    await first.getByRole("textbox", { name: "Notes" }).fill("Mine\n<b>not markup</b>");
    await first.getByLabel("Tags, separated by commas").fill("Board, 中文");
    await first.getByRole("button", { name: "Save notes and tags" }).click();
    await first.getByRole("heading", { name: "This has been changed since you opened it" }).waitFor();
    assert.equal(await first.getByRole("textbox", { name: "Notes" }).inputValue(), "Mine\n<b>not markup</b>");
    assert.equal(await first.locator(".sides .notes").innerText(), "Theirs");
    await first.getByRole("button", { name: "Save mine" }).click();
    await first.waitForURL(/described=1/);
    assert.equal(await first.locator("p.notes").innerText(), "Mine\n<b>not markup</b>");
    assert.deepEqual(await first.locator(".page > .tags a").allTextContents(), ["board", "中文"]);
  });

  stage.test("two scenarios of the list are compared", async ({ newVisitor }) => {
    const { page, complaints } = await newVisitor();
    for (const [name, tokens] of [
      ["Small", "1.2T"],
      ["Large", "2T"],
    ]) {
      await visit(page, "/", scripts);
      await change(page, "training_tokens", tokens, scripts);
      await save(page, name);
    }
    await visit(page, "/scenarios", scripts);
    const names = () => page.locator(".scenarios tbody th > a").allTextContents();
    assert.deepEqual(await names(), ["Large", "Small"], "newest change first");
    await page.getByRole("columnheader", { name: "Cost of the run" }).getByRole("link").click();
    await page.waitForURL(/sort=cost_usd/);
    assert.deepEqual(await names(), ["Small", "Large"]);
    await page.getByRole("combobox", { name: "Order" }).selectOption("-name");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/sort=-name/);
    assert.deepEqual(await names(), ["Small", "Large"]);
    const file = await page.getByRole("link", { name: "Download this view of scenarios as CSV" }).getAttribute("href");
    const rows = (await (await page.request.get(file)).text()).trim().split(/\r?\n/);
    assert.deepEqual([rows.length, rows[1].split(",")[0], rows[2].split(",")[0]], [3, "Small", "Large"]);
    await visit(page, "/scenarios", scripts);
    for (const name of ["Small", "Large"]) await page.getByLabel(`Compare ${name}`).check();
    await page.getByRole("button", { name: "Compare the chosen" }).click();
    await page.waitForURL(/\/compare\?ids=/);
    assert.deepEqual(await page.locator(".comparison thead th a").allTextContents(), ["A: Large", "B: Small"]);
    const total = page.locator(".comparison tr", { hasText: "Cost of this run" });
    assert.match(plainText(await total.innerText()), /≠ differs \$.* \$.*✓ best/);
    assert.equal(await page.locator("#fig-compared-cost svg:visible").count(), 1);
    const all = await page.locator(".comparison tbody tr").count();
    await page.getByRole("link", { name: "Only differences" }).click();
    await page.waitForURL(/only=1/);
    assert.ok((await page.locator(".comparison tbody tr").count()) < all);

    await visit(page, "/scenarios", scripts);
    await page.getByRole("searchbox", { name: "Words" }).fill("smal");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/q=smal/);
    assert.deepEqual(await names(), ["Small"]);
    await page.getByRole("link", { name: "Small", exact: true }).click();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.waitForURL(/archived=1/);
    await visit(page, "/scenarios", scripts);
    assert.deepEqual(await names(), ["Large"]);
    complaints.expect(422, "/compare");
    await page.goto("/compare?ids=x");
    await page.getByText("Only one scenario is chosen").waitFor();
  });

  if (!scripts) return;
  stage.test("the pages of scenarios are accessible and fit", async ({ newVisitor }) => {
    const { page, complaints } = await newVisitor();
    const ids = [];
    for (const name of ["A plan with a rather long name that goes on and on until it fills its line", "Pneumonoultramicroscopicsilicovolcanoconiosis", "خطة التدريب"]) {
      await visit(page, "/", scripts);
      await save(page, name);
      ids.push(new URL(page.url()).pathname.split("/").pop());
    }
    const scenario = `/scenarios/${ids[0]}`;
    await page.goto(scenario);
    await page.locator("#describe summary").click();
    await page.getByRole("textbox", { name: "Notes" }).fill("First line\nSecond line");
    await page.getByLabel("Tags, separated by commas").fill("board, a tag of thirty characters her");
    await page.getByRole("button", { name: "Save notes and tags" }).click();
    await page.waitForURL(/described=1/);
    await open(page, scenario, "2T", scripts);
    const stale = page.url();
    await newVersion(page).click();
    await page.waitForURL(/saved=1/);
    const found = [];
    complaints.expect(412, "/api/fn/save_version");
    complaints.expect(422, "/compare");
    async function look(where) {
      await page.locator("details:not([open]) > summary").evaluateAll((all) => all.forEach((one) => one.click()));
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      if (scrollWidth > clientWidth) found.push(`${where}: ${scrollWidth} px wide in a window of ${clientWidth}`);
      found.push(...(await findings(page)).map((finding) => `${where}: ${finding}`));
    }
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of [
          "/scenarios",
          "/scenarios?q=nothing+like+it",
          scenario,
          `${scenario}/versions/1`,
          `${scenario}/difference?from=1&to=2`,
          `${scenario}/again`,
          `/compare?ids=${ids.join(",")}`,
          "/compare",
        ]) {
          await visit(page, path, scripts);
          await look(`${path}, ${theme}, ${width} px`);
        }
        await visit(page, stale, scripts);
        await newVersion(page).click();
        await page.getByRole("heading", { name: "Three ways out" }).waitFor();
        await look(`the conflict, ${theme}, ${width} px`);
      }
    }
    assert.ok(found.length === 0, `${found.length} findings:\n${found.join("\n")}`);
  });
}
