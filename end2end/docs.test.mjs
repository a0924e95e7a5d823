// The examples of the page of the API, run as they stand there.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "./support/server.mjs";

const run = promisify(execFile);
let server, folder;
const examples = new Map();

const plain = (html) =>
  html
    .replace(/<!--.*?-->|<[^>]*>/gs, "")
    .replace(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", amp: "&" })[name]);

before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), "clusterwright-docs-"));
  const page = await (await fetch(`${server.url}/api/docs`)).text();
  for (const [, attributes, body] of page.matchAll(/<pre([^>]*)>(.*?)<\/pre>/gs)) {
    const id = attributes.match(/data-example="([^"]*)"/)?.[1];
    if (id) examples.set(id, plain(body));
  }
});
after(async () => {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const shell = (id) => run("bash", ["-c", examples.get(id)], { cwd: folder });

async function python(id) {
  await writeFile(join(folder, `${id}.py`), examples.get(id));
  return run("python3", [`${id}.py`], { cwd: folder });
}

test("every kind of caller has an example, with the address of this site", () => {
  const all = ["curl-plan", "curl-bill", "curl-sheet", "python-plan", "python-estimates"];
  all.push("power-query", "google-sheets", "libreoffice-value");
  all.push("feed-sheets", "feed-libreoffice", "feed-excel", "curl-scenario", "excel-value");
  assert.deepEqual([...examples.keys()], all);
  for (const [id, text] of examples) assert.ok(text.includes(server.url), id);
});

test("curl gets a plan, a table, and an answer for each row of a sheet", async () => {
  const plan = JSON.parse((await shell("curl-plan")).stdout);
  assert.equal(plan.tiers.length, 3);
  await shell("curl-bill");
  const bill = await readFile(join(folder, "bill.csv"), "utf8");
  assert.ok(bill.startsWith("item,quantity,unit,"), bill.slice(0, 80));
  const rows = (await shell("curl-sheet")).stdout.trim().split("\r\n");
  assert.equal(rows.length, 3);
  assert.match(rows[1], /^1,A-1,Small,ok,/);
  assert.match(rows[2], /^2,A-2,Large,ok,/);
});

test("Python gets a plan and estimates", async () => {
  const plan = (await python("python-plan")).stdout.trim().split("\n");
  assert.ok(plan[0].length > 20 && plan.length > 5, plan.join("\n"));
  const estimates = (await python("python-estimates")).stdout.trim().split("\n");
  assert.deepEqual(estimates.map((line) => line.split(" ")[0]), ["8", "16", "32", "64"]);
  for (const line of estimates) assert.ok(Number(line.split(" ")[1]) > 0, line);
});

test("the addresses that spreadsheets ask for answer as the formulas expect", async () => {
  for (const id of ["google-sheets", "libreoffice-value", "excel-value"]) {
    const address = examples.get(id).match(/"(http[^"]*)"/)[1];
    const answer = await fetch(address);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    if (id === "google-sheets") assert.ok(text.startsWith("tier,verdict,accelerator,"), text.slice(0, 80));
    else assert.match(text, /^\d+\.\d\d$/);
  }
  const query = examples.get("power-query");
  const path = query.match(/RelativePath = "([^"]*)"/)[1];
  const pairs = [...query.match(/Query = \[(.*?)\]/s)[1].matchAll(/(?:#"([^"]*)"|(\w+)) = "([^"]*)"/g)];
  const search = new URLSearchParams(pairs.map(([, quoted, bare, value]) => [quoted ?? bare, value]));
  const answer = await fetch(`${server.url}/${path}?${search}`);
  const [head] = (await answer.text()).split("\r\n");
  assert.equal(answer.status, 200);
  for (const [, column] of query.matchAll(/\{"(\w+)", /g)) assert.ok(head.split(",").includes(column), column);
});
