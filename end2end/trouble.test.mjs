// What the planner says when the server refuses: too many requests, and too much to do.
import assert from "node:assert/strict";
import { visit } from "./support/browser.mjs";
import { change, field, figures } from "./support/planner.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });
const replan = "/api/fn/replan";

/** Answers like the server does when it refuses. */
function refuse(route, status, code, message) {
  return route.fulfill({
    status,
    contentType: "application/problem+json",
    headers: { "retry-after": "3" },
    body: JSON.stringify({ code, message, fields: [], status, detail: message }),
  });
}

stage.test("a rate limit is told in words, and the inputs stay", async ({ newVisitor }) => {
  const { page, complaints } = await newVisitor();
  await visit(page, "/", true);
  complaints.expect(429, replan);
  await page.route(`**${replan}`, (route) => refuse(route, 429, "rate_limited", "See the Retry-After header."));
  await field(page, "training_tokens").fill("2T");
  const trouble = page.locator("#trouble");
  await trouble.waitFor();
  assert.match(await trouble.innerText(), /Too many requests came from this network/);
  assert.ok(!(await trouble.innerText()).includes("Retry-After"), "a header is nothing that a person sees");
  assert.equal(await field(page, "training_tokens").inputValue(), "2T");
  await page.unroute(`**${replan}`);
  await change(page, "training_tokens", "3T", true);
  await trouble.waitFor({ state: "hidden" });
});

stage.test("a busy server is asked again by itself", async ({ newVisitor }) => {
  const { page, complaints } = await newVisitor();
  await visit(page, "/", true);
  const before = await figures(page);
  complaints.expect(503, replan);
  let refused = 0;
  await page.route(`**${replan}`, (route) => {
    refused += 1;
    return refused === 1 ? refuse(route, 503, "busy", "The server is computing for many people.") : route.continue();
  });
  await field(page, "training_tokens").fill("2T");
  await page.locator("#trouble").filter({ hasText: "computing for many people" }).waitFor();
  await page.waitForURL((address) => address.searchParams.get("training_tokens") === "2T");
  await page.locator("#trouble").waitFor({ state: "hidden" });
  assert.notEqual((await figures(page)).headline, before.headline);
});

stage.test("what can't be planned for is not saved in place of the plan before it", async ({ newVisitor }) => {
  const { page, complaints } = await newVisitor();
  await visit(page, "/", true);
  complaints.expect(422, "/");
  await field(page, "training_tokens").fill("🚀");
  await page.locator('#planner input[name="training_tokens"][aria-invalid="true"]').waitFor();
  await page.getByRole("button", { name: "Save scenario" }).click();
  await page.waitForURL((address) => address.searchParams.get("training_tokens") === "🚀");
  assert.match(await page.locator("h1").innerText(), /need attention/);
  await visit(page, "/scenarios", true);
  assert.equal(await page.locator('a[href^="/scenarios/"]').count(), 0, "nothing was saved");
});
