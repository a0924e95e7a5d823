// A server and a browser for one file of tests, and visitors with profiles of their own.
import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openProfile } from "./browser.mjs";
import { startServer } from "./server.mjs";

const pictures = fileURLToPath(new URL("../test-results/", import.meta.url));

/**
 * Sets the stage for the tests of a file.
 * @param scripts whether pages may run scripts
 */
export function setStage({ scripts }) {
  let server;
  let browser;
  before(async () => {
    server = await startServer();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  return {
    scripts,
    get url() {
      return server.url;
    },

    /**
     * Defines a test. Its function gets `newVisitor(options)`, which returns the page of a new profile; when it ends,
     * no browser may have complained about anything.
     */
    test(name, run) {
      test(name, async () => {
        const visitors = [];
        async function newVisitor(options = {}) {
          const visitor = await openProfile(browser, { baseURL: server.url, scripts, ...options });
          visitors.push(visitor);
          return visitor;
        }
        try {
          await run({ newVisitor });
          for (const { complaints } of visitors) complaints.assertNone();
        } catch (error) {
          await picture(visitors, name);
          throw error;
        } finally {
          for (const visitor of visitors) await visitor.close();
        }
      });
    },
  };
}

// what the visitors saw when the test failed
async function picture(visitors, name) {
  await mkdir(pictures, { recursive: true });
  for (const [index, { page }] of visitors.entries()) {
    const file = `${name.replaceAll(/\W+/g, "-")}-${index + 1}.png`;
    await page.screenshot({ path: pictures + file, fullPage: true }).catch(() => {});
  }
}
