// Asks the release binary mixed pages and API calls at a steady rate, half of them plans that nobody asked before,
// and prints latencies, errors and memory: `node end2end/load.mjs [seconds] [requests a second]`.
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { startServer } from "./support/server.mjs";

const seconds = Number(process.argv[2] ?? 60);
const rate = Number(process.argv[3] ?? 100);
if (!(seconds > 0 && rate > 0)) throw new Error("usage: node end2end/load.mjs [seconds] [requests a second]");

const models = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "mixtral-8x7b", "llama-3.2-1b"];
const others = [
  "/",
  "/catalog",
  "/method",
  "/validation",
  "/scenarios",
  "/api/v1/catalog/accelerators",
  "/api/v1/plans?model.preset=llama-3.1-8b",
  "/api/v1/estimates?model.preset=llama-3.1-8b&accelerator=h100-sxm&gpus=64",
];

/** The path of request `number`: every other one is a plan of its own, by turns as a page and as data. */
function path(number) {
  if (number % 2 === 1) return others[(number >> 1) % others.length];
  const model = models[(number >> 2) % models.length];
  const query = `model.preset=${model}&training_tokens=${1e11 + number * 1e6}&budget_usd=${2e6 + number}`;
  return number % 4 === 0 ? `/?${query}` : `/api/v1/plans?${query}`;
}

const agent = new Agent({ keepAlive: true, maxSockets: 150 });

/** Milliseconds until the whole answer was there, counted from when it was due, and the status; 0 is no answer. */
function ask(url, due) {
  return new Promise((resolve) => {
    const ended = (status) => resolve({ status, took: performance.now() - due });
    const asked = request(url, { agent }, (answer) => {
      answer.resume();
      answer.once("end", () => ended(answer.statusCode));
      answer.once("error", () => ended(0));
    });
    asked.once("error", () => ended(0));
    asked.end();
  });
}

async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

// one address asks for everybody
process.env.CLUSTERWRIGHT_RATE_COMPUTE = "off";
const server = await startServer();
const answers = [];
const memory = [await residentMegabytes(server.pid)];
const start = performance.now();
for (let number = 0; number < seconds * rate; number += 1) {
  const due = start + (number * 1000) / rate;
  const early = due - performance.now();
  if (early > 0) await wait(early);
  answers.push(ask(server.url + path(number), due));
  if (number % (rate * 5) === 0) memory.push(await residentMegabytes(server.pid));
}
const ended = await Promise.all(answers);
memory.push(await residentMegabytes(server.pid));
agent.destroy();
await server.stop();

const took = ended.map((answer) => answer.took).sort((a, b) => a - b);
const failed = ended.filter((answer) => answer.status !== 200);
const counts = new Map();
for (const { status } of failed) counts.set(status, (counts.get(status) ?? 0) + 1);
console.log(`${ended.length} requests in ${seconds} s (${rate}/s), ${failed.length} not answered 200`);
for (const [status, count] of counts) console.log(`  status ${status}: ${count}`);
console.log(`latency ms: p50 ${at(took, 0.5).toFixed(1)}, p90 ${at(took, 0.9).toFixed(1)}, p99 ${at(took, 0.99).toFixed(1)}, most ${at(took, 1).toFixed(1)}`);
console.log(`memory MB, every 5 s: ${memory.map((m) => m.toFixed(0)).join(" ")}`);
if (failed.length > 0) process.exitCode = 1;
