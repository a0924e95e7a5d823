// The style rules that plotly.js injects into a page.
import { readFile } from "node:fs/promises";
import { launch } from "./browser.mjs";

const folder = new URL("../../node_modules/plotly.js-basic-dist-min/", import.meta.url);

/**
 * Loads the bundle in a browser and reads the sheet that it makes.
 * @param others style sheets as text, read by the same browser so that the spelling is the same
 * @returns `version` of plotly.js, `injected` with one rule each, and `others` likewise
 */
export async function plotlyRules(others = []) {
  const { version } = JSON.parse(await readFile(new URL("package.json", folder), "utf8"));
  const content = await readFile(new URL("plotly-basic.min.js", folder), "utf8");
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.setContent("<!doctype html><title>plotly</title>");
    await page.addScriptTag({ content });
    const rules = await page.evaluate((texts) => {
      const list = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText);
      const parse = (text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return sheet;
      };
      return {
        injected: list(document.getElementById("plotly.js-style-global").sheet),
        others: texts.map((text) => list(parse(text))),
      };
    }, others);
    return { version, ...rules };
  } finally {
    await browser.close();
  }
}
