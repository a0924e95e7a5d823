// Starts the system's Chromium and opens watched pages in it.
import { chromium } from "playwright-core";
import { watch } from "./console.mjs";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser; `CHROMIUM` names another one than Debian's. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: flags,
  });
}

/**
 * Opens a page in a new profile.
 * @param options `baseURL`, `scripts`, `theme` ("light" or "dark"), `width`
 * @returns `page`, `complaints` (see console.mjs), and `close()`
 */
export async function openProfile(browser, { baseURL, scripts = true, theme = "light", width = 1280 }) {
  const context = await browser.newContext({
    baseURL,
    javaScriptEnabled: scripts,
    colorScheme: theme,
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
    locale: "en-US",
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = await watch(page, scripts);
  return { page, complaints, close: () => context.close() };
}

/** Goes to a path and waits until the islands of the page work, if it may run scripts. */
export async function visit(page, path, scripts) {
  const answer = await page.goto(path, { waitUntil: "load" });
  if (scripts) await hydrated(page);
  return answer;
}

/** Waits until the islands of the page work. */
export async function hydrated(page) {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/** Looks at all of a page, so that what loads when it comes near has loaded; ends at its top. */
export async function scrollThrough(page) {
  // what is out of sight is not drawn, also not for a picture of the whole page
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { content-visibility: visible !important; }");
    document.adoptedStyleSheets.push(sheet);
  });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 800) {
    await page.evaluate((y) => window.scrollTo({ top: y, behavior: "instant" }), top);
    await page.waitForTimeout(50);
  }
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
}
