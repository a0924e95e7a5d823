import { testScenarios } from "./support/journey-scenarios.mjs";
import { setStage } from "./support/stage.mjs";

testScenarios(setStage({ scripts: false }));
