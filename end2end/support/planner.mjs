// What a person does on the pages, with scripts and without.
import assert from "node:assert/strict";

/** Text without the accidents of markup. */
export function plainText(text) {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The figures that a page shows for a plan: its headline, its tiers, and their amounts to the last dollar. */
export async function figures(page) {
  const tiers = page.locator(".tiers .tier");
  const titles = await tiers.locator("dd[title]").evaluateAll((all) => all.map((one) => one.title));
  return {
    headline: plainText(await page.locator(".headline").innerText()),
    tiers: (await tiers.allTextContents()).map(plainText),
    amounts: titles,
  };
}

/** The text field of a key. */
export function field(page, key) {
  return page.locator(`#planner input[name="${key}"]`);
}

/** Types into a field, and plans: with scripts by typing alone, without by sending the form. */
export async function change(page, key, value, scripts) {
  await field(page, key).fill(value);
  if (scripts) {
    await page.waitForURL((address) => address.searchParams.get(key) === value);
    await page.locator("#results:not([aria-busy=true])").waitFor();
  } else {
    await page.locator("#planner button[type=submit]").click();
    await page.waitForURL((address) => address.searchParams.get(key) === value);
  }
}

/** Opens how a figure came about, and goes back to the plan; returns the title and the formula of the explanation. */
export async function explain(page, figure, scripts) {
  const address = page.url();
  await figure.click();
  if (scripts) {
    const dialog = page.locator("dialog[open]");
    await dialog.waitFor();
    const told = [await dialog.locator("#explained-title").innerText(), await dialog.locator(".formula").innerText()];
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(page.url(), address, "the page was not left");
    return told.map(plainText);
  }
  await page.waitForURL((next) => next.searchParams.has("_figure"));
  const told = [await page.locator("h1").innerText(), await page.locator(".formula").innerText()];
  await page.getByRole("link", { name: "Back to the plan" }).click();
  await page.waitForURL((next) => !next.searchParams.has("_figure"));
  return told.map(plainText);
}

/** Saves the plan of the planner; ends on the page of the scenario. */
export async function save(page, name) {
  await page.getByLabel("Name of the scenario").fill(name);
  await page.getByRole("button", { name: "Save scenario" }).click();
  await page.waitForURL(/\/scenarios\/[^/?]+\?saved=1/);
}

/** Makes a share link on the page of a scenario; returns its path. */
export async function share(page) {
  await page.getByRole("button", { name: "Create a share link" }).click();
  const address = new URL(await page.getByLabel("New link").inputValue());
  assert.equal(address.origin, new URL(page.url()).origin);
  // a token holds 128 bits or more
  assert.match(address.pathname, /^\/s\/[A-Za-z0-9_-]{22,}$/);
  return address.pathname;
}
