/** What the requests of one read have in common, and the options of one of them. */
import { Stop } from "../abort.js";
import type { Priority } from "../stores/request-queue.js";
import type { StoreOptions } from "../stores/store.js";

/** What ends the requests of a read, and their priority. */
export class RequestStop extends Stop {
  readonly priority: Priority | undefined;

  constructor(caller: AbortSignal | undefined, priority: Priority | undefined) {
    super(caller);
    this.priority = priority;
  }
}

/** Options of one store read. `signal` is a getter: it is created only if the store looks at it. */
export class StoreRead implements StoreOptions {
  readonly later: StoreOptions["later"];
  readonly byteLength: number | undefined;
  readonly maximumBytes: number | undefined;
  readonly onValue: StoreOptions["onValue"];
  readonly #stop: RequestStop;

  constructor(
    stop: RequestStop,
    later: StoreOptions["later"],
    byteLength: number | undefined,
    maximumBytes: number | undefined,
    onValue?: StoreOptions["onValue"],
  ) {
    this.#stop = stop;
    this.later = later;
    this.byteLength = byteLength;
    this.maximumBytes = maximumBytes;
    this.onValue = onValue;
  }

  get signal(): AbortSignal {
    return this.#stop.signal();
  }

  get priority(): Priority | undefined {
    return this.#stop.priority;
  }
}
