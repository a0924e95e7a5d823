// Scores of Lighthouse for the planner, a scenario and a share link, by the release binary: `node end2end/lighthouse.mjs`.
// Its program comes from npm at its own version: it is no part of the build or of the tests.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch, openProfile } from "./support/browser.mjs";
import { preparePages } from "./support/pages.mjs";
import { startServer } from "./support/server.mjs";

const version = "12.8.2";
const run = promisify(execFile);
const metrics = ["largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];

const server = await startServer();
const browser = await launch();
const folder = await mkdtemp(join(tmpdir(), "clusterwright-lighthouse-"));
try {
  const { page, close } = await openProfile(browser, { baseURL: server.url });
  const paths = await preparePages(page, true);
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await close();
  for (const [name, path] of Object.entries({ planner: "/", scenario: paths.scenario, "share link": paths.shared })) {
    const file = join(folder, "report.json");
    const flags = ["--quiet", "--output=json", `--output-path=${file}`];
    flags.push("--chrome-flags=--headless --no-sandbox --disable-gpu");
    if (name === "scenario") flags.push(`--extra-headers=${JSON.stringify({ Cookie: cookies })}`);
    await run("npx", ["--yes", `lighthouse@${version}`, `${server.url}${path}`, ...flags], {
      env: { ...process.env, CHROME_PATH: process.env.CHROMIUM || "/usr/bin/chromium" },
    });
    const { categories, audits } = JSON.parse(await readFile(file, "utf8"));
    const scores = Object.entries(categories).map(([id, { score }]) => `${id} ${Math.round(score * 100)}`);
    console.log(`${name}: ${scores.join(", ")}`);
    console.log(`  ${metrics.map((id) => `${id} ${audits[id].displayValue}`).join(", ")}`);
    for (const { id, score, title, details } of Object.values(audits)) {
      const counts = Object.values(categories).some((c) => c.auditRefs.some((ref) => ref.id === id && ref.weight > 0));
      if (!counts || score === null || score >= 0.9) continue;
      console.log(`  ${id} ${Math.round(score * 100)}: ${title}`);
      const where = (details?.items ?? []).map((item) => item.node?.selector).filter(Boolean);
      for (const selector of where.slice(0, 5)) console.log(`    ${selector}`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
