// What LibreOffice makes of workbooks and of text with delimiters, in English and in German.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { delimited, sheets, startOffice } from "./support/office.mjs";
import { startServer } from "./support/server.mjs";

const plans = [
  ["a purchase", "model.preset=llama-3.1-70b&budget_usd=50M&acquisition=buy&overrides.tax_share=0.19"],
  ["a rental", "model.preset=llama-3.1-70b&budget_usd=50M&deadline_days=60&acquisition=on_demand&accelerators=h100-sxm"],
  ["own figures", "model.preset=llama-3.1-8b&acquisition=buy&overrides.server_usd.h100-sxm=300001.37&accelerators=h100-sxm&overrides.network_share_of_capital=0.13"],
];
let server, english, german;

before(async () => {
  server = await startServer();
  [english, german] = [await startOffice("en-US"), await startOffice("de-DE")];
});
after(async () => {
  await Promise.all([server?.stop(), english?.close(), german?.close()]);
});

const get = (path) => fetch(`${server.url}/api/v1/${path}`);
const json = async (path) => (await get(path)).json();
const bytes = async (path) => Buffer.from(await (await get(path)).arrayBuffer());
const near = (a, b, what) => assert.ok(Math.abs(a - b) < 0.005, `${what}: ${a} is not ${b}`);
const row = (rows, label) => rows.find((cells) => cells[0] === label) ?? assert.fail(`no row ${label}`);

for (const [what, query] of plans) {
  test(`totals of a workbook, computed anew, are the engine's: ${what}`, async () => {
    const plan = await json(`plans?${query}`);
    const shown = plan.tiers.find((tier) => tier.tier === plan.shown_tier);
    const flat = await english.flat(await bytes(`plans.xlsx?${query}`), "xlsx");
    const book = sheets(flat);
    const names = ["Summary", "Tiers", "Options", "Bill of materials", "Curves", "Utilization", "Sensitivity", "Assumptions", "Sources"];
    assert.deepEqual([...book.keys()], names);
    assert.ok(!/Err:\d|#REF|#NAME|#VALUE|#DIV/.test(flat), "no cell is an error");
    const bill = book.get("Bill of materials");
    for (const line of plan.bill_of_materials.filter((line) => line.total_usd !== undefined)) {
      const cells = bill.find((cells) => cells[0] === line.item && cells[1] === line.quantity);
      near(cells[3], line.unit_usd.typical, `unit price of ${line.item}`);
      near(cells[4], line.total_usd, `total of ${line.item}`);
    }
    for (const line of plan.bill_of_materials.filter((line) => !line.unit_usd && !line.included_in)) {
      assert.deepEqual(row(bill, line.item).slice(3, 5), [null, "no price"], "never free");
    }
    const purchase = plan.bill_of_materials.reduce((sum, line) => sum + (line.total_usd ?? 0), 0);
    near(row(bill, "Total")[4], purchase, "total of the bill");
    const summary = book.get("Summary");
    near(row(summary, "Cost of the run, USD")[1], shown.cost.total_usd.typical, "cost of the run");
    // where buying is not allowed there is no purchase to speak of
    const capital = shown.cost.capital_usd?.typical ?? null;
    if (capital === null) assert.equal(row(summary, "Purchase of the cluster, USD")[1] ?? null, null);
    else near(row(summary, "Purchase of the cluster, USD")[1], capital, "purchase");
    near(row(summary, "GPUs")[1], shown.cluster.gpus, "devices");
    assert.equal(row(summary, "Cost of the run, USD")[2].slice(0, 7), "Follows", "the cost is live");
  });
}

test("another unit price moves the line, its section, the total, the tax and the summary", async () => {
  const query = plans[0][1];
  const flat = await english.flat(await bytes(`plans.xlsx?${query}`), "xlsx");
  const before = sheets(flat);
  const bill = before.get("Bill of materials");
  const [item, quantity, , price, total] = bill[1];
  const start = flat.indexOf(`<text:p>${item}</text:p>`, flat.indexOf('table:name="Bill of materials"'));
  const place = flat.indexOf(`office:value="${price}"`, start);
  assert.ok(start > 0 && place > start, "the price is in the sheet");
  const changed = flat.slice(0, place) + `office:value="${price + 1000}"` + flat.slice(place + `office:value="${price}"`.length);
  // flat text keeps the results of formulas as they were saved: without them they are computed
  const open = changed.replace(/(table:formula="[^"]*") office:value-type="\w+" office:value="[^"]*"/g, "$1");
  assert.notEqual(open, changed);
  const after = sheets(await english.flat(open, "fods"));
  const moved = after.get("Bill of materials");
  near(moved[1][4], total + 1000 * quantity, "line");
  const delta = row(moved, "Servers, sum")[4] - row(bill, "Servers, sum")[4];
  // spares have the price of what they stand in for
  assert.ok(delta >= 1000 * quantity, `section: ${delta}`);
  const hardware = (rows) => ["Servers, sum", "Network, sum", "Storage, sum"].reduce((sum, name) => sum + row(rows, name)[4], 0);
  near(hardware(moved) - hardware(bill), delta, "hardware");
  near(row(moved, "Tax and duty, sum")[4] - row(bill, "Tax and duty, sum")[4], 0.19 * delta, "tax");
  const grand = row(moved, "Total")[4] - row(bill, "Total")[4];
  assert.ok(grand > 1.19 * delta - 0.01, `total: ${grand}`);
  const cost = (book) => row(book.get("Summary"), "Cost of the run, USD")[1];
  near(cost(after) - cost(before), grand, "summary");
});

for (const [locale, choices, sign] of [
  ["en-US", "", ","],
  ["de-DE", "&bom=true&delimiter=semicolon&decimal=comma", ";"],
]) {
  test(`text with delimiters keeps every number in ${locale}`, async () => {
    const office = locale === "en-US" ? english : german;
    const tables = await json(`plans.json?${plans[1][1]}`);
    let numbers = 0;
    for (const name of ["summary", "bill_of_materials", "curves_wide", "utilization", "sensitivity"]) {
      const text = await bytes(`plans.csv?table=${name}${choices}&${plans[1][1]}`);
      const [read] = sheets(await office.flat(text, "csv", delimited(sign))).values();
      const head = read[0];
      for (const [index, expected] of tables[name].entries()) {
        for (const [column, value] of Object.entries(expected)) {
          const cell = read[index + 1][head.indexOf(column)];
          if (typeof value !== "number") continue;
          numbers += 1;
          assert.equal(typeof cell, "number", `${name}.${column}: ${cell}`);
          assert.ok(Math.abs(cell - value) <= 1e-9 * Math.abs(value), `${name}.${column}: ${cell} is not ${value}`);
        }
      }
    }
    assert.ok(numbers > 200, `${numbers} numbers`);
  });
}

test("text that looks like a formula computes nothing, and names of any script survive", async () => {
  const names = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "训练集群", "مجموعة التدريب", "🚀 “quoted” \"twice\"", "长".repeat(120)];
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
  const sheet = ["name,model.preset,max_gpus", ...quoted.map((name) => `${name},llama-3.2-1b,8`)].join("\r\n");
  const headers = { "content-type": "text/csv" };
  const answer = await fetch(`${server.url}/api/v1/plans/batch.csv`, { method: "POST", headers, body: sheet });
  const [read] = sheets(await english.flat(Buffer.from(await answer.arrayBuffer()), "csv", delimited(","))).values();
  const column = read[0].indexOf("name");
  for (const [index, name] of names.entries()) {
    assert.equal(read[index + 1][column].replace(/^'/, ""), name);
  }
});
