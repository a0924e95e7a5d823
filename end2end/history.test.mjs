// Back, Forward, undo and redo: each typed edit and each choice is one step, with its inputs and its answer.
import assert from "node:assert/strict";
import { visit } from "./support/browser.mjs";
import { change, field, figures } from "./support/planner.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });

// the state of the page, once the answer to its inputs stands
async function state(page, tokens) {
  await page.waitForFunction((value) => document.querySelector("[name=training_tokens]").value === value, tokens);
  await page.locator("#results:not([aria-busy=true])").waitFor();
  return figures(page);
}

// types as a hand does, and leaves the field
async function type(page, key, text) {
  await field(page, key).selectText();
  await page.keyboard.type(text, { delay: 60 });
  await page.waitForURL((address) => address.searchParams.get(key) === text);
  await page.keyboard.press("Tab");
  await page.locator("#results:not([aria-busy=true])").waitFor();
}

async function startWithEdits(newVisitor) {
  const { page } = await newVisitor();
  await visit(page, "/", true);
  const length = await page.evaluate(() => history.length);
  const states = [await state(page, "1T")];
  await type(page, "training_tokens", "2.25T");
  states.push(await state(page, "2.25T"));
  await type(page, "training_tokens", "3.5T");
  states.push(await state(page, "3.5T"));
  assert.equal(await page.evaluate(() => history.length), length + 2, "what is typed in one go is one entry");
  assert.notDeepEqual(states[0], states[1]);
  assert.notDeepEqual(states[1], states[2]);
  return { page, states };
}

stage.test("Back and Forward step over typed edits", async ({ newVisitor }) => {
  const { page, states } = await startWithEdits(newVisitor);
  await page.goBack();
  assert.deepEqual(await state(page, "2.25T"), states[1]);
  await page.goBack();
  assert.deepEqual(await state(page, "1T"), states[0]);
  await page.goForward();
  assert.deepEqual(await state(page, "2.25T"), states[1]);
  // a new edit takes the place of what was ahead
  await change(page, "training_tokens", "9T", true);
  await page.goBack();
  assert.deepEqual(await state(page, "2.25T"), states[1]);
});

stage.test("undo and redo walk the same steps, past jumps to sections", async ({ newVisitor }) => {
  const { page, states } = await startWithEdits(newVisitor);
  const [undo, redo] = [page.locator("#undo"), page.locator("#redo")];
  assert.ok(await redo.isDisabled());
  await page.locator(".subnav a").first().click();
  await undo.click();
  assert.deepEqual(await state(page, "2.25T"), states[1]);
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  assert.deepEqual(await state(page, "1T"), states[0]);
  assert.ok(await undo.isDisabled());
  await page.keyboard.press("Control+Shift+z");
  assert.deepEqual(await state(page, "2.25T"), states[1]);
  await redo.click();
  assert.deepEqual(await state(page, "3.5T"), states[2]);
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
  await undo.click();
  assert.deepEqual(await state(page, "2.25T"), states[1], "a reload keeps the steps");
});

stage.test("a slider follows its field only where that is valid", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await visit(page, "/", true);
  const slider = page.locator('[data-for="training_tokens"]');
  const before = await slider.inputValue();
  await field(page, "training_tokens").fill("2 tonnes");
  await page.locator('[data-error="training_tokens"]').filter({ hasText: /\w/ }).waitFor();
  assert.equal(await slider.inputValue(), before);
  await change(page, "training_tokens", "2T", true);
  assert.ok(Number(await slider.inputValue()) > Number(before));
});
