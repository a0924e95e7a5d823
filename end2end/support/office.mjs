// LibreOffice without a window: opens spreadsheets in a locale, computes every formula anew, and says what is in the cells.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = process.env.SOFFICE || "soffice";

// 0: compute anew on loading, whatever the file says of its results
const settings = (locale) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>
`;

/**
 * An office in a locale such as `de-DE`, with a profile of its own.
 * @returns `flat(bytes, ending, filter)`: the file as flat OpenDocument text; `close()`
 */
export async function startOffice(locale) {
  const folder = await mkdtemp(join(tmpdir(), "clusterwright-office-"));
  const profile = join(folder, "profile");
  await mkdir(join(profile, "user"), { recursive: true });
  await writeFile(join(profile, "user", "registrymodifications.xcu"), settings(locale));
  let made = 0;

  async function flat(bytes, ending, filter) {
    made += 1;
    const from = join(folder, `in${made}.${ending}`);
    const to = join(folder, `out${made}`);
    await writeFile(from, bytes);
    const flags = [`-env:UserInstallation=file://${profile}`, "--headless"];
    if (filter) flags.push(`--infilter=${filter}`);
    await run(program, [...flags, "--convert-to", "fods", "--outdir", to, from], { timeout: 120_000 });
    return readFile(join(to, `in${made}.fods`), "utf8");
  }

  return { flat, close: () => rm(folder, { recursive: true, force: true }) };
}

/** How LibreOffice reads text with delimiters: UTF-8, all of it, numbers by the locale. */
export const delimited = (sign) => `Text - txt - csv (StarCalc):${sign.charCodeAt(0)},34,76,1,,0,false,false`;

/** The cells of flat OpenDocument text: rows of numbers, texts and nulls by the name of their sheet. */
export function sheets(flat) {
  const found = new Map();
  for (const [, name, body] of flat.matchAll(/<table:table table:name="([^"]*)"[^>]*>(.*?)<\/table:table>/gs)) {
    const rows = [];
    for (const [, attributes, inner] of body.matchAll(/<table:table-row([^>]*?)(?:\/>|>(.*?)<\/table:table-row>)/gs)) {
      const cells = [];
      const each = (inner ?? "").matchAll(/<table:(?:covered-)?table-cell([^>]*?)(?:\/>|>(.*?)<\/table:(?:covered-)?table-cell>)/gs);
      for (const [, cell, content] of each) {
        const times = Number(cell.match(/number-columns-repeated="(\d+)"/)?.[1] ?? 1);
        // the empty rest of a row
        for (let i = 0; i < Math.min(times, 100); i += 1) cells.push(value(cell, content));
      }
      const times = Number(attributes.match(/number-rows-repeated="(\d+)"/)?.[1] ?? 1);
      for (let i = 0; i < Math.min(times, 5); i += 1) rows.push(cells);
    }
    found.set(unescape(name), rows);
  }
  return found;
}

function value(attributes, content) {
  const kind = attributes.match(/office:value-type="([^"]*)"/)?.[1];
  if (kind === "float" || kind === "percentage" || kind === "currency") {
    return Number(attributes.match(/office:value="([^"]*)"/)[1]);
  }
  if (kind === "boolean") return attributes.includes('office:boolean-value="true"');
  if (kind === "date") return attributes.match(/office:date-value="([^"]*)"/)[1];
  if (!kind) return null;
  const lines = [...(content ?? "").matchAll(/<text:p[^>]*?(?:\/>|>(.*?)<\/text:p>)/gs)];
  return unescape(lines.map(([, text]) => (text ?? "").replace(/<text:s[^>]*\/>/g, " ").replace(/<[^>]*>/g, "")).join("\n"));
}

function unescape(text) {
  const named = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, code) => {
    if (code.startsWith("#x")) return String.fromCodePoint(parseInt(code.slice(2), 16));
    if (code.startsWith("#")) return String.fromCodePoint(Number(code.slice(1)));
    return named[code] ?? whole;
  });
}
