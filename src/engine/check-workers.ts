/** What is given as `workers`. */
import { InvalidArgumentError } from "../errors.js";
import { describeGiven } from "../stores/check-store.js";
import type { ChunkWorkers } from "./remote.js";

/** @throws InvalidArgumentError for what is no pool of workers */
export function checkWorkers(workers: ChunkWorkers): void {
  if (typeof workers.reader === "function" && typeof workers.writer === "function") return;
  throw new InvalidArgumentError(
    `workers: expected a WorkerPool of wazarr/workers, got ${describeGiven(workers)}`,
  );
}
