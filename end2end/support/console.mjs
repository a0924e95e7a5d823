// Notices everything that a browser complains about.
import assert from "node:assert/strict";

/**
 * Collects console messages, errors of scripts, refusals by the content security policy, requests that failed, and
 * answers that are errors.
 * @param scripts whether the page may run scripts
 * @returns `expect(status, path)`, which allows one kind of error answer, and `assertNone()`
 */
export async function watch(page, scripts) {
  const complaints = [];
  const expected = [];

  function add(kind, text, source = "") {
    complaints.push({ kind, text, source });
  }

  page.on("console", (message) => {
    // a profile without scripts has no use for what is loaded ahead for them
    if (!scripts && message.text().includes("preloaded using link preload but not used")) return;
    add(`console ${message.type()}`, message.text(), message.location().url);
  });
  page.on("pageerror", (error) => add("script", error.stack ?? String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // the page was left before the answer came
    if (reason === "net::ERR_ABORTED") return;
    // a profile without scripts refuses to load them
    if (!scripts && request.resourceType() === "script") return;
    add("request", `${reason} ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) add("answer", `${response.status()} ${new URL(response.url()).pathname}`, response.url());
  });
  await page.exposeBinding("reportViolation", (_, text, source) => add("policy", text, source));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const what = `${event.effectiveDirective} ${event.blockedURI} ${event.sample}`;
      window.reportViolation(what, event.sourceFile ?? "");
    });
  });

  function isExpected({ kind, text, source }) {
    return expected.some(({ status, path }) => {
      if (kind === "answer") return text.startsWith(`${status} ${path}`);
      // the browser also writes it to the console
      return kind === "console error" && text.includes(` ${status} `) && new URL(source).pathname.startsWith(path);
    });
  }

  return {
    /** Allows answers of this status from paths that start so. */
    expect(status, path) {
      expected.push({ status, path });
    },
    assertNone() {
      const left = complaints.filter((complaint) => !isExpected(complaint));
      assert.deepEqual(left, [], "the browser complained");
    },
  };
}
