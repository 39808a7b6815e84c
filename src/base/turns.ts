/**
 * Turns of the event loop: long work, and loops of operations that answer at once, let timers, I/O and aborts
 * run. There is one clock for everything, because many short operations one after the other starve the event
 * loop as one long operation does.
 */

/** Longest run of work before other code gets a turn. */
const TURN_MILLISECONDS = 16;

const { MessageChannel } = globalThis;
let channel: MessageChannel | undefined;
const posted: (() => void)[] = [];

/** Browsers delay nested timers by 4 ms, but not messages. */
function post(callback: () => void): void {
  if (channel === undefined) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => posted.shift()?.();
  }
  posted.push(callback);
  channel.port2.postMessage(null);
}

/** Calls back in the next turn. Taken when this loads: tests of applications replace timers. */
const later: (callback: () => void) => void =
  globalThis.setImmediate ?? (MessageChannel === undefined ? globalThis.setTimeout : post);

/** When the first work of this turn began; undefined if there was none. */
let start: number | undefined;
let pending: Promise<void> | undefined;

function forget(): void {
  start = undefined;
}

/**
 * Called between two pieces of work. Once work has run for long enough in this turn, returns a promise for
 * the next turn; otherwise undefined. After the promise, another piece of work may have taken the time: who
 * does much between two calls asks again.
 */
export function dueTurn(): Promise<void> | undefined {
  if (start === undefined) {
    start = performance.now();
    later(forget);
    return undefined;
  }
  if (performance.now() <= start + TURN_MILLISECONDS) return undefined;
  pending ??= nextTurn().then(() => {
    pending = undefined;
    forget();
  });
  return pending;
}

/** Lets timers, I/O and aborts run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    later(resolve);
  });
}
