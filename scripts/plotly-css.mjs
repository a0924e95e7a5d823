// Writes public/vendor/plotly.css: the style rules that plotly.js would inject into the page.
//
// Our policy forbids injected styles; plotly leaves them out where it finds an element of class `no-inline-styles`
// with the id of its own sheet. Run this after a change of the plotly.js version (`make plotly-css`).
// A browser test compares the file with the bundle.
import { writeFile } from "node:fs/promises";
import { plotlyRules } from "../end2end/support/plotly.mjs";

const { version, injected } = await plotlyRules();
const about = `/* Injected by plotly.js ${version} (MIT); written by scripts/plotly-css.mjs. */`;
await writeFile(new URL("../public/vendor/plotly.css", import.meta.url), [about, ...injected, ""].join("\n"));
