/** What the requests of one read have in common. */
import { Stop } from "../abort.js";
import type { Priority } from "../stores/request-queue.js";

/** What ends the requests of a read, and their priority. */
export class RequestStop extends Stop {
  readonly priority: Priority | undefined;

  constructor(caller: AbortSignal | undefined, priority: Priority | undefined) {
    super(caller);
    this.priority = priority;
  }
}
