import * as wazarr from "wazarr";
import * as workers from "wazarr/workers";
import { run } from "./run.js";

try {
  document.title = JSON.stringify(await run(wazarr, workers));
} catch (error) {
  document.title = String(error);
}
