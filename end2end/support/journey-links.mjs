// Each kind of share link from its making to its end, and the price book of a team.
import assert from "node:assert/strict";
import { findings } from "./axe.mjs";
import { hydrated, visit } from "./browser.mjs";
import { themes, widths } from "./pages.mjs";
import { change, figures, plainText, save } from "./planner.mjs";

const password = "a sentence for tests";

/** Makes a link of a kind on the page of a scenario; returns its path. */
async function make(page, kind, label, days) {
  await page.getByLabel("What it shows").selectOption(kind);
  await page.getByLabel("Label, for you").fill(label);
  await page.getByLabel("Ends", { exact: true }).selectOption(days);
  await page.getByRole("button", { name: "Create a share link" }).click();
  await page.waitForURL(/made=/);
  return new URL(await page.locator("#new-link").inputValue()).pathname;
}

/** Presses a button of the newest link, and waits for the page that says so. */
async function press(page, name, flag) {
  await page.getByRole("button", { name: new RegExp(`^${name} link 1,`) }).click();
  await page.waitForURL(new RegExp(`${flag}=`));
}

/** State of the newest link, in words. */
async function state(page) {
  return plainText(await page.locator(".link-list tbody tr").first().locator("td").first().innerText());
}

async function signUp(page, email, scripts) {
  await visit(page, "/sign-up", scripts);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.waitForURL(/welcome=1/);
}

/** Everything on the pages is accessible and fits, in both themes and at all widths. */
async function assertAccessible(page, paths, scripts) {
  const found = [];
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await visit(page, path, scripts);
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        if (scrollWidth > clientWidth) found.push(`${path}: ${scrollWidth} px wide in a window of ${clientWidth}`);
        found.push(...(await findings(page)).map((finding) => `${path}, ${theme}, ${width} px: ${finding}`));
      }
    }
  }
  assert.ok(found.length === 0, `${found.length} findings:\n${found.join("\n")}`);
}

/** Defines the tests on a stage. */
export function testLinks(stage) {
  const { scripts } = stage;

  stage.test("a link of each kind opens what it says, pauses, gets another address and ends", async ({ newVisitor }) => {
    const owner = (await newVisitor()).page;
    await visit(owner, "/", scripts);
    const planned = await figures(owner);
    await save(owner, "Autumn run");
    const scenario = new URL(owner.url()).pathname;
    const live = await make(owner, "live", "for the board", "never");
    assert.match(await state(owner), /^Active, never ends$/);
    const feed = await make(owner, "feed", "sheet", "90");
    assert.match(feed, /^\/api\/v1\/feeds\/[\w-]{22,}\/tiers\.csv$/);
    assert.match(await state(owner), /^Active, expires in 90 days$/);
    const frozen = await make(owner, "frozen", "", "7");
    assert.match(await state(owner), /^Active, expires in 7 days$/);
    assert.equal(await owner.locator(".link-list tbody tr").count(), 3);
    const copied = owner.getByRole("link", { name: "Copy address" });
    assert.match(await copied.getAttribute("href"), /^\/\?.*model\.preset=/);

    await owner.locator("#rename summary").click();
    await owner.getByLabel("New name").fill("Winter run");
    await owner.locator("#rename button").click();
    await owner.waitForURL(/renamed=1/);
    // a page that stays open without scripts complains that what is preloaded for them is not used
    if (!scripts) await owner.goto("about:blank");

    const guest = await newVisitor();
    guest.complaints.expect(404, "/s/");
    await visit(guest.page, frozen, scripts);
    assert.deepEqual(await figures(guest.page), planned, "the guest sees what was planned");
    assert.match(await guest.page.locator("h1").innerText(), /Autumn run/);
    assert.match(await guest.page.locator(".eyebrow").innerText(), /^Frozen on /);
    const picture = await guest.page.locator('meta[property="og:image"]').getAttribute("content");
    assert.ok(!picture.includes(frozen.slice(3)), "the picture says nothing of the token");
    assert.equal(await guest.page.locator('meta[name="twitter:card"]').getAttribute("content"), "summary_large_image");
    const path = new URL(picture).pathname;
    const bytes = Buffer.from(await (await fetch(stage.url + path)).arrayBuffer());
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);

    await guest.page.getByRole("link", { name: "Re-plan with today's prices" }).click();
    await guest.page.waitForURL(/\/today$/);
    await guest.page.getByText("nothing has changed").waitFor();
    assert.equal(await guest.page.locator(".side-by-side .headline").count(), 2);
    await guest.page.getByRole("link", { name: "Back to the shared plan" }).click();
    await guest.page.getByRole("link", { name: "Open a copy in the planner" }).click();
    await guest.page.waitForURL(/\/\?.*model/);
    assert.equal((await figures(guest.page)).headline, planned.headline);

    await visit(guest.page, live, scripts);
    assert.match(await guest.page.locator("h1").innerText(), /Winter run/);
    assert.match(await guest.page.locator(".eyebrow").innerText(), /^Live: last changed on /);
    if (!scripts) await guest.page.goto("about:blank");

    const opens = async (path) => (await fetch(stage.url + path)).status;
    await visit(owner, scenario, scripts);
    await press(owner, "Pause", "paused");
    assert.match(await state(owner), /^Paused/);
    assert.deepEqual([await opens(frozen), await opens(path)], [404, 404], "paused, and its picture too");
    await press(owner, "Resume", "resumed");
    assert.deepEqual([await opens(frozen), await opens(path)], [200, 200], "resumed");
    await press(owner, "Replace", "rotated");
    const fresh = new URL(await owner.locator("#new-link").inputValue()).pathname;
    assert.deepEqual([await opens(frozen), await opens(fresh)], [404, 200], "another address");
    await press(owner, "Revoke", "revoked");
    assert.equal(await state(owner), "Revoked");
    const gone = await guest.page.goto(fresh);
    assert.equal(gone.status(), 404);
    assert.equal(await guest.page.locator(".tiers").count(), 0);
    if (!scripts) await guest.page.goto("about:blank");
  });

  stage.test("a quote of the team changes its plans and is marked there, until it is removed", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await signUp(page, "buyer@example.com", scripts);
    const query = "/?model.preset=llama-3.1-70b&training_tokens=1T&budget_usd=20M&accelerators=b200&acquisition=buy";
    await visit(page, query, scripts);
    const before = await figures(page);
    assert.equal(await page.locator("#book").count(), 0);

    await visit(page, "/price-book", scripts);
    await page.getByText("No quotes yet.").waitFor();
    await page.getByLabel("Figure", { exact: true }).fill("H100 server");
    await page.getByLabel("Price or rate").fill("1M");
    await page.getByRole("button", { name: "Save the quote" }).click();
    await page.locator("#figure[aria-invalid=true]").waitFor();
    assert.match(await page.locator("#figure-error").innerText(), /“H100 server” fits \d+ figures/);
    assert.ok((await page.getByRole("group", { name: "Which of these" }).getByRole("radio").count()) > 1);
    await page.getByLabel("Figure", { exact: true }).fill("B200 server");
    await page.getByLabel("Price or rate").fill("cheap");
    await page.getByRole("button", { name: "Save the quote" }).click();
    await page.locator("#value[aria-invalid=true]").waitFor();
    assert.match(await page.locator("#value-error").innerText(), /can't be read/);
    await page.getByLabel("Price or rate").fill("1.2M");
    await page.getByRole("textbox", { name: "Supplier" }).fill("Muster AG");
    await page.getByLabel("Last day of the offer").fill("2099-12-31");
    await page.getByRole("button", { name: "Save the quote" }).click();
    await page.waitForURL(/saved=1/);
    assert.match(await page.locator(".data-quotes tbody").innerText(), /Muster AG/);

    await visit(page, query, scripts);
    const priced = await figures(page);
    assert.notDeepEqual(priced.amounts, before.amounts);
    assert.match(await page.locator("#book").innerText(), /^1 quote of your team's price book is used/);
    assert.match(await page.locator("#yours").textContent(), /used/, "it is marked as the team's own");
    await page.getByRole("link", { name: "Plan without it" }).click();
    await page.waitForURL(/_price_book=off/);
    if (scripts) await hydrated(page);
    assert.deepEqual(await figures(page), before);
    await change(page, "training_tokens", "2T", scripts);
    assert.ok(page.url().includes("_price_book=off"), "the switch is kept while planning on");
    await page.getByRole("link", { name: "Plan with it" }).click();
    await page.waitForURL((address) => !address.searchParams.has("_price_book"));
    if (scripts) await hydrated(page);
    await change(page, "training_tokens", "1T", scripts);
    assert.deepEqual((await figures(page)).amounts, priced.amounts);

    const stranger = (await newVisitor()).page;
    await visit(stranger, query, scripts);
    assert.deepEqual(await figures(stranger), before, "nobody else plans with it");
    if (!scripts) await stranger.goto("about:blank");

    await visit(page, "/price-book", scripts);
    await page.getByRole("button", { name: /^Remove / }).click();
    await page.waitForURL(/removed=1/);
    await visit(page, query, scripts);
    assert.deepEqual(await figures(page), before, "removed, it is as before");
    await visit(page, "/price-book?key=server_usd.b200", scripts);
    assert.equal(await page.locator("#history tbody tr").count(), 2, "the history stays");
  });

  if (!scripts) return;
  stage.test("the pages of links and of the price book are accessible and fit", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await signUp(page, "a.person.with.a.rather.long.address@subdomain.example.com", scripts);
    await visit(page, "/", scripts);
    await save(page, "A plan to look at");
    const scenario = new URL(page.url()).pathname;
    const shared = await make(page, "frozen", "a label that is as long as labels of links get, which is 80 letters", "7");
    await make(page, "live", "", "never");
    await press(page, "Pause", "paused");
    const empty = "/price-book";
    await assertAccessible(page, [empty], scripts);
    for (const [key, value] of [["server_usd.b200", "450k"], ["pue", "1.2"]]) {
      await visit(page, "/price-book", scripts);
      await page.getByLabel("Figure", { exact: true }).fill(key);
      await page.getByLabel("Price or rate").fill(value);
      await page.getByRole("textbox", { name: "Supplier" }).fill("A supplier with a long name, Limited");
      await page.getByRole("button", { name: "Save the quote" }).click();
      await page.waitForURL(/saved=1/);
    }
    const pages = [scenario, shared, `${shared}/today`, "/price-book", "/price-book?key=pue", "/price-book?q=nothing"];
    await assertAccessible(page, pages, scripts);
  });
}
