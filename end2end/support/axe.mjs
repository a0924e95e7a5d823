// Accessibility findings of a page.
import { readFile } from "node:fs/promises";

const source = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

// off unless asked for
const rules = { "target-size": { enabled: true } };

/** Runs every rule of axe on the page as it is; returns one line for each rule that is broken. */
export async function findings(page) {
  await page.evaluate(`${source}; undefined`);
  const { violations } = await page.evaluate(
    (rules) => window.axe.run(document, { resultTypes: ["violations"], rules }),
    rules,
  );
  return violations.flatMap(({ id, help, nodes }) => {
    const first = nodes.slice(0, 5).map(({ target }) => target.join(" "));
    return `${id} (${help}), ${nodes.length} times: ${first.join(", ")}`;
  });
}
