import { testPlanner } from "./support/journey-planner.mjs";
import { setStage } from "./support/stage.mjs";

testPlanner(setStage({ scripts: true }));
