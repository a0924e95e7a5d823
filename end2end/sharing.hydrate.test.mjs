import { testSharing } from "./support/journey-sharing.mjs";
import { setStage } from "./support/stage.mjs";

testSharing(setStage({ scripts: true }));
