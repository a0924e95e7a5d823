// Every page in both themes at three widths: axe finds nothing, and nothing is wider than the window.
import assert from "node:assert/strict";
import { findings } from "./support/axe.mjs";
import { scrollThrough, visit } from "./support/browser.mjs";
import { preparePages, themes, widths } from "./support/pages.mjs";
import { setStage } from "./support/stage.mjs";

const stage = setStage({ scripts: true });

for (const theme of themes) {
  for (const width of widths) {
    stage.test(`every page is accessible and fits: ${theme}, ${width} px`, async ({ newVisitor }) => {
      const { page, complaints } = await newVisitor({ theme, width });
      const pages = await preparePages(page, true);
      complaints.expect(422, "/");
      complaints.expect(404, pages.missing);
      const found = [];
      for (const [name, path] of Object.entries(pages)) {
        await visit(page, path, true);
        await scrollThrough(page);
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        if (scrollWidth > clientWidth) found.push(`${name}: ${scrollWidth} px wide in a window of ${clientWidth}`);
        found.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
      }
      await visit(page, "/", true);
      await page.locator("#ownership .fig").first().click();
      await page.locator("dialog[open]").waitFor();
      found.push(...(await findings(page)).map((finding) => `dialog: ${finding}`));
      assert.ok(found.length === 0, `${found.length} findings:\n${found.join("\n")}`);
    });
  }
}
