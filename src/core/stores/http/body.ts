/** Reads response bodies in pieces, with a timeout for the silence of the server. */
import { follow, onAbort, untilAborted } from "../../../base/abort.js";
import { invalid } from "../../../base/errors.js";

const DEFAULT_TIMEOUT = 60_000;

/** Milliseconds. JavaScript timers with a longer delay fire immediately. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * @returns the timeout in milliseconds; undefined for no limit
 * @throws InvalidArgumentError for a negative number or no number
 */
export function checkTimeout(timeout: unknown = DEFAULT_TIMEOUT): number | undefined {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw invalid("timeout", "milliseconds, 0 for no limit", timeout);
  return timeout === 0 || timeout > LONGEST_TIMER ? undefined : timeout;
}

/** Aborts a request when its server is silent for longer than the timeout, or when the caller aborts. */
export class Silence {
  /** Aborts on the timeout, and on the caller's abort during `during`. */
  readonly signal: AbortSignal;
  readonly #timeout: number | undefined;
  readonly #caller: AbortSignal | null;
  readonly #abort = new AbortController();
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;

  constructor(timeout: number | undefined, caller: AbortSignal | null) {
    this.#timeout = timeout;
    this.#caller = caller;
    this.signal = this.#abort.signal;
  }

  /** Whether the timeout aborted the request. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get problem(): string {
    return `no data for ${this.#timeout} ms; pass a longer \`timeout\` if the server is that slow`;
  }

  heard(): void {
    this.#heard = performance.now();
  }

  /** Runs `work` with the timeout, which starts again with every call of `heard`. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = this.#caller && follow(this.#abort, this.#caller);
    this.heard();
    this.#wait();
    try {
      return await untilAborted(this.signal, work);
    } finally {
      clearTimeout(this.#timer);
      leave?.();
    }
  }

  // One timer serves many pieces: when it fires, it restarts for the time that is left since the last piece.
  #wait(): void {
    if (this.#timeout === undefined) return;
    const left = this.#heard + this.#timeout - performance.now();
    if (left <= 0) {
      this.#isOver = !this.signal.aborted;
      this.#abort.abort();
    } else this.#timer = setTimeout(() => this.#wait(), Math.ceil(left));
  }
}

/**
 * Bytes. For a longer announced body no buffer is allocated in advance, because the announced length may be
 * wrong.
 */
const LONGEST = 256 << 20;

/**
 * Reads a body in pieces, so that a silent server is noticed. In Node, `arrayBuffer()` also makes garbage of
 * four times the body's length (the pieces, their concatenation, a copy of that). Here only the pieces from
 * the socket are garbage.
 * @param byteLength announced length of the body; 0 if unknown
 * @param maximumBytes where reading stops if no buffer was allocated in advance
 * @param onPiece called for every piece
 * @param signal cancels the body, for one whose request goes on
 * @returns the body. If its length is not the announced one: zeros of the received length. If it exceeds
 * `maximumBytes`: its beginning
 * @throws the error of the stream when it breaks off
 */
export async function readPieces(
  response: Response,
  byteLength: number,
  maximumBytes: number,
  onPiece: () => void,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { body } = response;
  // A copy: a custom `fetch` may return the same buffer each time, and the caller may free the result.
  if (!body) return new Uint8Array(await response.arrayBuffer()).slice();
  const reader = body.getReader();
  const leave = signal && onAbort(signal, () => void reader.cancel().catch(() => {}));
  try {
    return await piecesOf(reader, byteLength, maximumBytes, onPiece);
  } finally {
    leave?.();
  }
}

async function piecesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  byteLength: number,
  maximumBytes: number,
  onPiece: () => void,
): Promise<Uint8Array> {
  const isKnown = byteLength > 0 && byteLength <= LONGEST;
  const bytes = isKnown ? allocate(byteLength) : undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    onPiece();
    // The stream of a custom `fetch` may yield any type.
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
  }
  if (bytes === undefined) return concatenate(pieces, length);
  return length === byteLength ? bytes : new Uint8Array(length);
}

/**
 * Allocates a buffer that shares its memory with nothing else. In Node it is not zero-filled, which is
 * faster.
 */
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
