// Save a plan, share it, open it elsewhere, and take the link back.
import assert from "node:assert/strict";
import { visit } from "./browser.mjs";
import { change, explain, figures, save, share } from "./planner.mjs";

/** Defines the tests on a stage. */
export function testSharing(stage) {
  const { scripts } = stage;

  stage.test("a shared plan is the same plan, for whoever has the link, until it is revoked", async ({ newVisitor }) => {
    const owner = (await newVisitor()).page;
    await visit(owner, "/", scripts);
    await change(owner, "training_tokens", "1.5T", scripts);
    const planned = await figures(owner);
    const query = new URL(owner.url()).search;

    await save(owner, "Autumn run");
    const scenario = new URL(owner.url()).pathname;
    assert.match(await owner.locator("h1").innerText(), /Autumn run/);
    assert.deepEqual(await figures(owner), planned, "the scenario shows what was planned");
    const link = await share(owner);
    await owner.reload();
    assert.ok(!(await owner.content()).includes(link), "the link is shown once");
    // a page that stays open without scripts complains that what is preloaded for them is not used
    if (!scripts) await owner.goto("about:blank");

    const guest = await newVisitor();
    const answer = await visit(guest.page, link, scripts);
    assert.deepEqual(await figures(guest.page), planned, "the guest sees what was planned");
    assert.deepEqual(await guest.page.context().cookies(), [], "looking leaves no cookie");
    assert.match((await answer.allHeaders())["x-robots-tag"], /noindex/);
    const [, formula] = await explain(guest.page, guest.page.locator("#ownership .fig").first(), scripts);
    assert.ok(formula.length > 5, "a frozen plan explains its figures");
    assert.equal(await guest.page.locator("main form[method=post]").count(), 0, "a guest can change nothing");

    const data = await (await fetch(`${stage.url}/api/v1/plans${query}`)).json();
    assert.equal(data.headline, planned.headline, "the API says the same");
    const days = data.tiers.map(({ days }) => days && days.typical);
    const amounts = data.tiers.flatMap(({ cost }) => (cost ? [cost.total_usd.typical] : []));
    assert.ok(amounts.length > 0);
    for (const amount of amounts.filter((amount) => amount >= 1000)) {
      const text = `$${Math.round(amount).toLocaleString("en-US")}`;
      assert.ok(planned.amounts.includes(text), `the page shows ${text}, as the API does`);
    }
    for (const [index, value] of days.entries()) {
      if (value === null || value < 2) continue;
      const text = `${value.toLocaleString("en-US", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 })} days`;
      assert.ok(planned.tiers[index].includes(text), `${planned.tiers[index]} has ${text}, as the API does`);
    }

    if (!scripts) await guest.page.goto("about:blank");
    await visit(owner, scenario, scripts);
    await owner.getByRole("button", { name: /^Revoke link 1/ }).click();
    await owner.waitForURL(/revoked=1/);
    guest.complaints.expect(404, "/s/");
    const gone = await guest.page.goto(link);
    assert.equal(gone.status(), 404);
    assert.equal(await guest.page.locator(".tiers").count(), 0);
  });

  stage.test("a scenario belongs to who saved it", async ({ newVisitor }) => {
    const owner = (await newVisitor()).page;
    await visit(owner, "/", scripts);
    await save(owner, "Only mine");
    const path = new URL(owner.url()).pathname;
    await visit(owner, "/scenarios", scripts);
    assert.equal(await owner.getByRole("link", { name: "Only mine", exact: true }).count(), 1);

    const stranger = await newVisitor();
    await visit(stranger.page, "/scenarios", scripts);
    assert.equal(await stranger.page.getByRole("link", { name: "Only mine", exact: true }).count(), 0);
    stranger.complaints.expect(404, "/scenarios/");
    const answer = await stranger.page.goto(path);
    assert.equal(answer.status(), 404);
  });
}
