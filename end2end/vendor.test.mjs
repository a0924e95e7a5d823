// The copies of other people's work that the site serves are what their packages hold.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { plotlyRules } from "./support/plotly.mjs";

test("plotly.css holds the rules that plotly.js would inject", async () => {
  const text = await readFile(new URL("../public/vendor/plotly.css", import.meta.url), "utf8");
  const { injected, others } = await plotlyRules([text]);
  assert.ok(injected.length > 50);
  assert.deepEqual(others[0], injected);
});
