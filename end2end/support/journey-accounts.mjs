// Sign up, work in a team, and see that viewers can't change anything.
import assert from "node:assert/strict";
import { findings } from "./axe.mjs";
import { visit } from "./browser.mjs";
import { themes, widths } from "./pages.mjs";
import { save } from "./planner.mjs";

const password = "a sentence for tests";

async function enter(page, email, button) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Defines the tests on a stage. */
export function testAccounts(stage) {
  const { scripts } = stage;

  stage.test("what was planned before signing up is kept, and opens on another machine", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await visit(page, "/", scripts);
    await save(page, "Before the account");
    await page.getByRole("link", { name: "Sign up" }).first().click();
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("password123");
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await page.waitForURL(/\/sign-up/);
    const field = page.getByLabel("Password", { exact: true });
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.match(await page.locator("#password-error").innerText(), /tried first/);
    assert.equal(await page.getByLabel("Email").inputValue(), "ada@example.com", "what was typed is not lost");
    await field.fill(password);
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await page.waitForURL(/\/scenarios\?welcome=1/);
    assert.equal(await page.getByRole("link", { name: "Before the account", exact: true }).count(), 1);

    const other = (await newVisitor()).page;
    await visit(other, "/account", scripts);
    await other.waitForURL(/\/log-in\?next=/);
    await enter(other, "ada@example.com", "Log in");
    await other.waitForURL(/\/account$/);
    assert.equal(await other.locator("#sessions tbody tr").count(), 2);
    await visit(other, "/scenarios", scripts);
    assert.equal(await other.getByRole("link", { name: "Before the account", exact: true }).count(), 1);
    await visit(page, "/account", scripts);
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.waitForURL(/everywhere=1/);
    await visit(other, "/account", scripts);
    await other.waitForURL(/\/log-in/);
  });

  stage.test("who is invited as a viewer sees the team's plans and can't change them", async ({ newVisitor }) => {
    const owner = (await newVisitor()).page;
    await visit(owner, "/sign-up", scripts);
    await enter(owner, "owner@example.com", "Sign up");
    await owner.waitForURL(/welcome=1/);
    await visit(owner, "/", scripts);
    await save(owner, "Plan of the team");
    const scenario = new URL(owner.url()).pathname;
    await visit(owner, "/team", scripts);
    await owner.getByRole("button", { name: "Create an invitation link" }).click();
    await owner.locator("#new-link").waitFor();
    const link = new URL(await owner.locator("#new-link").inputValue());
    assert.equal(link.origin, stage.url);
    // a page that stays open without scripts complains that what is preloaded for them is not used
    if (!scripts) await owner.goto("about:blank");

    const viewer = await newVisitor();
    await visit(viewer.page, link.pathname, scripts);
    await enter(viewer.page, "viewer@example.com", "Sign up and join");
    await viewer.page.waitForURL(/\/team\?joined=1/);
    assert.equal(await viewer.page.getByRole("button", { name: "Create an invitation link" }).count(), 0);
    await visit(viewer.page, scenario, scripts);
    assert.match(await viewer.page.locator("h1").innerText(), /Plan of the team/);
    assert.equal(await viewer.page.locator("main form[method=post]").count(), 0, "a viewer finds no form that changes it");
    await visit(viewer.page, "/", scripts);
    assert.equal(await viewer.page.getByRole("button", { name: /Save/ }).count(), 0, "there is nothing to press in vain");
    await viewer.page.getByText("viewers look, and do not save").waitFor();

    await visit(owner, "/team", scripts);
    await owner.getByLabel("Role of viewer@example.com", { exact: true }).selectOption("editor");
    await owner.getByRole("button", { name: "Set the role of viewer@example.com" }).click();
    await owner.waitForURL(/changed=1/);
    await visit(viewer.page, scenario, scripts);
    assert.notEqual(await viewer.page.locator("main form[method=post]").count(), 0, "an editor does");
    await visit(owner, "/team", scripts);
    await owner.getByRole("button", { name: "Remove viewer@example.com" }).click();
    await owner.waitForURL(/removed=1/);
    viewer.complaints.expect(404, "/scenarios/");
    assert.equal((await viewer.page.goto(scenario)).status(), 404);
  });

  if (!scripts) return;
  stage.test("the pages of accounts and teams are accessible and fit", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await visit(page, "/sign-up", scripts);
    await enter(page, "a.person.with.a.rather.long.address@subdomain.example.com", "Sign up");
    await page.waitForURL(/welcome=1/);
    await visit(page, "/team", scripts);
    await page.getByRole("button", { name: "Create an invitation link" }).click();
    await page.locator("#new-link").waitFor();
    const invitation = new URL(await page.locator("#new-link").inputValue()).pathname;
    const found = [];
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of ["/account", "/team", "/team/tokens", "/scenarios", invitation, "/log-in", "/sign-up"]) {
          await visit(page, path, scripts);
          await page.locator("details:not([open]) > summary").evaluateAll((all) => all.forEach((one) => one.click()));
          const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
          if (scrollWidth > clientWidth) found.push(`${path}: ${scrollWidth} px wide in a window of ${clientWidth}`);
          found.push(...(await findings(page)).map((finding) => `${path}, ${theme}, ${width} px: ${finding}`));
        }
      }
    }
    assert.ok(found.length === 0, `${found.length} findings:\n${found.join("\n")}`);
  });
}
