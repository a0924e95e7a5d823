// Pictures of every page in both themes at three widths, into end2end/screenshots.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, openProfile, visit } from "./support/browser.mjs";
import { preparePages, themes, widths } from "./support/pages.mjs";
import { startServer } from "./support/server.mjs";

const folder = fileURLToPath(new URL("screenshots/", import.meta.url));
await mkdir(folder, { recursive: true });
const server = await startServer();
const browser = await launch();
try {
  for (const theme of themes) {
    for (const width of widths) {
      const { page, close } = await openProfile(browser, { baseURL: server.url, theme, width });
      for (const [name, path] of Object.entries(await preparePages(page, true))) {
        await visit(page, path, true);
        await page.screenshot({ path: `${folder}${name}-${theme}-${width}.png`, fullPage: true });
      }
      await close();
      console.log(`${theme}, ${width} px: done`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
