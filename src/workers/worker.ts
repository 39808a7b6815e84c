/**
 * Is the module of a worker, for applications that make the workers of a `WorkerPool` themselves.
 *
 * ```ts
 * import { WorkerPool } from "wazarr/workers";
 *
 * const url = new URL("wazarr-worker.js", import.meta.url); // a file that imports "wazarr/workers/worker"
 * const workers = new WorkerPool({ createWorker: () => new Worker(url, { type: "module" }) });
 * ```
 * @module
 */
import { fillSlots } from "../main/catalogue.js";
import { listen } from "./listen.js";

fillSlots();
listen();
