import { testLinks } from "./support/journey-links.mjs";
import { setStage } from "./support/stage.mjs";

testLinks(setStage({ scripts: true }));
