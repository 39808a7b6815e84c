/** The bodies of answers, read a piece at a time, and how long a server may be silent meanwhile. */
import { untilAborted } from "../abort.js";
import { InvalidArgumentError } from "../errors.js";
import { addresses, free } from "../garbage.js";

const DEFAULT_TIMEOUT = 60_000;

/** Timers of JavaScript run at once when they are given more. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** @returns milliseconds; undefined for no limit @throws InvalidArgumentError */
export function checkTimeout(timeout: unknown = DEFAULT_TIMEOUT): number | undefined {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new InvalidArgumentError(`timeout: expected milliseconds, 0 for no limit, got ${String(timeout)}`);
  return timeout === 0 || timeout > LONGEST_TIMER ? undefined : timeout;
}

/** Aborts a request when nothing is heard of its server for some time, or when the caller aborts. */
export class Silence {
  /** Aborts in both cases; null where neither can be. */
  readonly signal: AbortSignal | null;
  readonly #timeout: number | undefined;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;

  constructor(timeout: number | undefined, caller: AbortSignal | null) {
    this.#timeout = timeout;
    const own = this.#abort.signal;
    this.signal = timeout === undefined ? caller : caller ? AbortSignal.any([caller, own]) : own;
  }

  /** Whether the request was aborted because of the silence. */
  get isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  get problem(): string {
    return `nothing came for ${this.#timeout} ms; pass a longer \`timeout\` if the server is that slow`;
  }

  heard(): void {
    this.#heard = performance.now();
  }

  /** Resolves with the result of `work`, whose server may be silent for no longer than the timeout between two calls of `heard`. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.heard();
    this.#wait();
    try {
      return await untilAborted(this.signal ?? undefined, work);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  // One timer for many pieces of a body: it begins anew for what is left.
  #wait(): void {
    if (this.#timeout === undefined) return;
    const left = this.#heard + this.#timeout - performance.now();
    if (left <= 0) this.#abort.abort();
    else this.#timer = setTimeout(() => this.#wait(), Math.ceil(left));
  }
}

/** For longer bodies the announced length may be wrong: no memory is made before they come. */
const LONGEST = 256 << 20;

/** Smaller pieces are not worth a microsecond. */
const SMALLEST = 16 << 10;

/**
 * V8 collects unused young buffers when there are 32 MiB of them. So many reserved bytes are added for each byte of a body: it collects
 * as often as it did for `arrayBuffer()`, and finds a quarter of the garbage.
 */
const COUNTED_MORE = 4;
const STEP = 8 << 20;
let uncounted = 0;

/**
 * Reads a body a piece at a time, so that silence is noticed. In Node `arrayBuffer()` makes four times its length of garbage, too, most of it
 * at once (the pieces, their concatenation, a copy of that); here the garbage is the pieces as the socket gave them, which are freed.
 * @param byteLength of the body, as announced; 0 where it was not
 * @param onPiece called for every piece
 * @param maximumBytes what is read at most, where no length was announced
 * @returns the body; of one that is longer than that its beginning, and at least a byte too much
 * @throws what the stream throws when it breaks off
 */
export async function readPieces(
  response: Response,
  byteLength: number,
  maximumBytes: number,
  onPiece: () => void,
): Promise<Uint8Array> {
  const { body } = response;
  // A replacement of `fetch` may give the same memory each time, which must not be freed.
  if (!body) return new Uint8Array(await response.arrayBuffer()).slice();
  const isNode = typeof globalThis.Buffer === "function";
  const isOurs = isNode && isByteStream(body);
  const reader = body.getReader();
  const isKnown = byteLength > 0 && byteLength <= LONGEST;
  const bytes = isKnown ? allocate(byteLength) : undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    onPiece();
    // A stream that an application made may give anything.
    if (!(value instanceof Uint8Array)) throw new TypeError(`expected a body of bytes, got ${typeof value}`);
    length += value.length;
    if (bytes === undefined) {
      pieces.push(value);
      if (length <= maximumBytes) continue;
      await reader.cancel();
      break;
    }
    if (length > byteLength) {
      await reader.cancel();
      break;
    }
    bytes.set(value, length - value.length);
    if (isOurs && value.length >= SMALLEST) free(value);
  }
  if (bytes === undefined) return concatenate(pieces, length);
  if (isNode)
    for (uncounted += COUNTED_MORE * byteLength; uncounted >= STEP; uncounted -= STEP) addresses(STEP);
  return length === byteLength ? bytes : new Uint8Array(addresses(length));
}

/** Memory of its own, which is not filled with zeros where that can be. */
function allocate(byteLength: number): Uint8Array {
  return typeof globalThis.Buffer === "function"
    ? new Uint8Array(globalThis.Buffer.allocUnsafeSlow(byteLength).buffer)
    : new Uint8Array(byteLength);
}

function concatenate(pieces: readonly Uint8Array[], byteLength: number): Uint8Array {
  const bytes = allocate(byteLength);
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

/** Whether whoever reads a piece is the only one who has its memory: a byte stream takes it from whoever puts something into it. */
function isByteStream(body: ReadableStream<Uint8Array>): boolean {
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
