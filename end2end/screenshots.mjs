// Pictures of every page in both themes at three widths, into end2end/screenshots.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, openProfile, scrollThrough, visit } from "./support/browser.mjs";
import { prepareAccountPages, preparePages, themes, widths } from "./support/pages.mjs";
import { startServer } from "./support/server.mjs";

const folder = fileURLToPath(new URL("screenshots/", import.meta.url));
await mkdir(folder, { recursive: true });
// an account for each theme and width
process.env.CLUSTERWRIGHT_RATE_SIGN_UP = "off";
const server = await startServer();
const browser = await launch();
try {
  for (const theme of themes) {
    for (const width of widths) {
      const { page, close } = await openProfile(browser, { baseURL: server.url, theme, width });
      const take = async (pages) => {
        for (const [name, path] of Object.entries(pages)) {
          await visit(page, path, true);
          await scrollThrough(page);
          await page.screenshot({ path: `${folder}${name}-${theme}-${width}.png`, fullPage: true });
        }
      };
      await take(await preparePages(page, true));
      await take(await prepareAccountPages(page, `${theme}-${width}@example.com`));
      await close();
      console.log(`${theme}, ${width} px: done`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
