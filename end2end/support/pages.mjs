// Every kind of page, for checks that go through all of them.
import { visit } from "./browser.mjs";
import { change, save, share } from "./planner.mjs";

export const widths = [320, 768, 1440];
export const themes = ["light", "dark"];

/** Prepares a scenario with a link in a profile; returns a path for each kind of page that the profile can open. */
export async function preparePages(page, scripts) {
  await visit(page, "/", scripts);
  await save(page, "A plan to look at");
  const scenario = new URL(page.url()).pathname;
  const shared = await share(page);
  return {
    planner: "/",
    mistake: "/?model.preset=llama-3.1-70b&training_tokens=a+few",
    infeasible: "/?model.preset=llama-3.1-405b&training_tokens=15T&budget_usd=100000&deadline_days=10",
    explanation: "/?model.preset=llama-3.1-70b&_figure=ownership.capital_usd",
    explanations: "/?model.preset=llama-3.1-70b&_figure=all",
    scenarios: "/scenarios",
    scenario,
    shared,
    today: `${shared}/today`,
    catalog: "/catalog",
    catalogView: "/catalog?clouds.accelerator=h100-sxm&clouds.sort=-usd_per_gpu_hour&models.q=nothing-like-it",
    method: "/method",
    validation: "/validation",
    rules: "/rules",
    noRule: "/rules?group=power&q=nothing-like-it",
    decisions: "/decisions?model.preset=llama-3.1-70b",
    undecided: "/decisions?model.preset=llama-3.1-405b&accelerators=rtx-4090&max_gpus=8",
    api: "/api/docs",
    measurements: "/validation?accelerator=h100-sxm&kind=dense&precision=bf16",
    signUp: "/sign-up",
    logIn: "/log-in",
    missing: "/no-such-page",
  };
}

/** Prepares an account with a team's pages in a profile; returns a path for each. Ends logged in. */
export async function prepareAccountPages(page, email) {
  await visit(page, "/sign-up", true);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a sentence for pictures");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.waitForURL(/welcome=1/);
  const ids = [];
  for (const tokens of ["1T", "2T"]) {
    await visit(page, "/", true);
    await change(page, "training_tokens", tokens, true);
    await save(page, `Llama 3.1 70B on ${tokens} tokens`);
    ids.push(new URL(page.url()).pathname.split("/").pop());
  }
  await visit(page, "/price-book", true);
  await page.getByLabel("Figure", { exact: true }).fill("B200 server");
  await page.getByLabel("Price or rate").fill("415k");
  await page.getByRole("textbox", { name: "Supplier" }).fill("Muster AG");
  await page.getByRole("button", { name: "Save the quote" }).click();
  await page.waitForURL(/saved=1/);
  return {
    account: "/account",
    team: "/team",
    priceBook: "/price-book",
    quote: "/price-book?key=server_usd.b200",
    list: "/scenarios",
    again: `/scenarios/${ids[0]}/again`,
    version: `/scenarios/${ids[0]}/versions/1`,
    compare: `/compare?ids=${ids.join(",")}`,
    nothingCompared: "/compare",
  };
}
