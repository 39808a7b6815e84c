/** Listeners of stores: what happens if one throws. */

/**
 * Calls a listener. What it throws does not fail the read that it is told of, nor end the process: a page
 * gets it as an "error" event, as of listeners of events (`reportError`), Node, Deno and Bun as a "warning"
 * of `process`, which they print.
 */
export function callListener<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event);
  } catch (error) {
    const { process, reportError } = globalThis;
    if (process?.emitWarning) process.emitWarning(error instanceof Error ? error : String(error));
    else reportError?.(error);
  }
}
