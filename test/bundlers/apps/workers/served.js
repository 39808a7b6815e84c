import * as wazarr from "wazarr";
import * as workers from "wazarr/workers";
import { run } from "./run.js";

// The package's dist/, served beside the bundle.
const createWorker = () => new Worker(`${location.origin}/dist/workers/worker.js`, { type: "module" });
try {
  document.title = JSON.stringify(await run(wazarr, workers, { createWorker }));
} catch (error) {
  document.title = String(error);
}
