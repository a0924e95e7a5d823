import { testAccounts } from "./support/journey-accounts.mjs";
import { setStage } from "./support/stage.mjs";

testAccounts(setStage({ scripts: true }));
