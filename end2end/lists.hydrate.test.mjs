import { testLists } from "./support/journey-lists.mjs";
import { setStage } from "./support/stage.mjs";

testLists(setStage({ scripts: true }));
