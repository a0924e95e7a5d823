// Accessibility findings of a page.
import { readFile } from "node:fs/promises";

const source = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Runs every rule of axe on the page as it is, that of the size of targets if asked for; one line for each that is broken. */
export async function findings(page, { targets = false } = {}) {
  // off in axe by itself
  const rules = { "target-size": { enabled: targets } };
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
