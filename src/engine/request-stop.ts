/** The end and the priority that all requests of one read share. */
import { Stop } from "../abort.js";
import type { Priority } from "../stores/request-queue.js";

export class RequestStop extends Stop {
  readonly priority: Priority | undefined;

  constructor(caller: AbortSignal | undefined, priority: Priority | undefined) {
    super(caller);
    this.priority = priority;
  }
}
