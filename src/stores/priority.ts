/** How soon a request is wanted, and by whom. */

/**
 * More is sooner; 0 unless given, and less than 0 is background: what nobody looks at yet. A function is asked whenever a request can begin, so
 * that what waits may become more urgent, or less.
 */
export type Priority = number | (() => number);

/** What a priority is now. What is no number counts as 0; a function that throws must not be the failure of whoever asks. */
export function priorityOf(priority?: Priority): number {
  try {
    return (typeof priority === "function" ? priority() : priority) || 0;
  } catch {
    return 0;
  }
}

/** Those who wait for one request: it is as urgent as the most urgent of them, and wanted until the last has left. */
export class Waiters extends AbortController {
  readonly #all = new Set<readonly [Priority | undefined]>();
  readonly priority: () => number;

  /** @param first of whoever asks, who may join later */
  constructor(first: Priority | undefined) {
    super();
    this.priority = () =>
      Math.max(...Array.from(this.#all.size > 0 ? this.#all : [[first]], ([each]) => priorityOf(each)));
  }

  /** @returns what leaves: true when nobody waits any more */
  join(priority: Priority | undefined): () => boolean {
    const waiter = [priority] as const;
    this.#all.add(waiter);
    return () => this.#all.delete(waiter) && this.#all.size === 0;
  }
}
