// Runs the release binary with a database of its own on a free port.
import { spawn } from "node:child_process";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
// `CLUSTERWRIGHT` names another program than the release, such as target/debug/clusterwright
const binary = process.env.CLUSTERWRIGHT || join(root, "target/release/clusterwright");

/**
 * Starts a server and waits until it is ready.
 * @returns `url` without a slash at its end, `pid`, `log()` with what it wrote, and `stop()`
 */
export async function startServer() {
  await access(binary).catch(() => {
    throw new Error(`${binary} is missing: run \`make build\` first`);
  });
  const folder = await mkdtemp(join(tmpdir(), "clusterwright-test-"));
  const flags = ["serve", "--migrate"];
  flags.push("--database", join(folder, "test.sqlite"));
  flags.push("--address", "127.0.0.1:0");
  flags.push("--site-root", join(root, "target/site"));
  const child = spawn(binary, flags, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  let running = true;
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", resolve);
  }).then(() => (running = false));

  async function stop() {
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 25_000);
    await ended;
    clearTimeout(patience);
    await rm(folder, { recursive: true, force: true });
  }

  // it says where it listens, then it answers there
  for (let attempt = 0; attempt < 200 && running; attempt += 1) {
    const url = output.match(/serving on (http:\/\/\S+)/)?.[1];
    const answer = url && (await fetch(`${url}/readyz`).catch(() => null));
    if (answer?.ok) return { url, pid: child.pid, log: () => output, stop };
    await wait(50);
  }
  await stop();
  throw new Error(`the server did not get ready:\n${output}`);
}
