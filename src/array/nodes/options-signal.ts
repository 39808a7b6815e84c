/** The signal of an operation's options: `signal`, or zarrita's `opts.signal`, or one that follows both. */
import { follow, untilAborted } from "../../base/abort.js";
import type { ZarritaSignal } from "../create/zarrita-options.js";

interface Signals extends ZarritaSignal {
  readonly signal?: AbortSignal | undefined;
}

/**
 * `untilAborted` for the signals of options.
 * @param work gets the options with at most one signal, which `signalOf` returns; JavaScript callers may pass
 * null, which is refused later
 */
export function untilOptionsAbort<Options extends Signals | null, Result>(
  options: Options,
  work: (options: Options) => Promise<Result>,
): Promise<Result> {
  const signal = options?.signal;
  const other = options?.opts?.signal;
  if (!signal || !other || signal === other) return untilAborted(signal ?? other, () => work(options));
  return untilEitherAborts(signal, other, (both) => work({ ...options, signal: both, opts: undefined }));
}

async function untilEitherAborts<Result>(
  signal: AbortSignal,
  other: AbortSignal,
  work: (both: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const both = new AbortController();
  const leave = [follow(both, signal), follow(both, other)];
  try {
    return await untilAborted(both.signal, () => work(both.signal));
  } finally {
    for (const each of leave) each();
  }
}

/** The signal of options that `untilOptionsAbort` gave. */
export function signalOf(options: Signals | null): AbortSignal | undefined {
  return options?.signal ?? options?.opts?.signal;
}
