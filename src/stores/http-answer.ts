/** What a server's answer means: checks of status, content type, length and range, and the error for each. */
import { StoreError } from "../errors.js";
import { addresses, free } from "../garbage.js";
import type { Silence } from "./http-silence.js";
import type { RangeQuery, StoreOptions } from "./store.js";

/** A response and what it answers. */
export interface Answer {
  readonly response: Response;
  readonly key: string;
  readonly url: URL;
  readonly signal: AbortSignal | null;
  readonly silence: Silence;
  /** Besides 404 and 410. */
  readonly missingStatuses: readonly number[];
}

/** True for "there is no such value"; the connection is free again then. */
export function isMissing({ response, missingStatuses }: Answer): boolean {
  if (![404, 410, ...missingStatuses].includes(response.status)) return false;
  discard(response);
  return true;
}

/** True for a web page: what single-page applications and login walls send in place of anything else. */
export function isPage({ response }: Answer): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false;
}

export function discard(response: Response): void {
  // The body is not needed, so an error does not matter.
  response.body?.cancel().catch(() => {});
}

/** @throws StoreError when the body breaks off, is not as long as announced, or longer than `maximumBytes`: of such a one no more is read */
export async function readBody(answer: Answer, maximumBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const { response, signal, silence } = answer;
  const { headers } = response;
  // Behind CORS a Content-Encoding is not visible, and the length would be that of the compressed body.
  const isPlain = response.type !== "cors" && !headers.has("content-encoding");
  const announced = isPlain && headers.get("content-length");
  if (Number(announced) > maximumBytes) {
    discard(response);
    throw tooLong(answer, maximumBytes, Number(announced));
  }
  let bytes: Uint8Array;
  try {
    bytes = await silence.during(() =>
      readPieces(response, Number(announced), maximumBytes, () => silence.heard()),
    );
  } catch (cause) {
    if (signal?.aborted) throw cause;
    discard(response);
    throw answerError(answer, silence.isOver ? silence.problem : "the body broke off", true, cause);
  }
  if (bytes.byteLength > maximumBytes) throw tooLong(answer, maximumBytes);
  if (announced && Number(announced) !== bytes.byteLength) {
    const isShort = bytes.byteLength < Number(announced);
    throw answerError(answer, `expected a body of ${announced} bytes, got ${bytes.byteLength}`, isShort);
  }
  return bytes;
}

/** The body of an answer with status 200. @throws StoreError as `readBody` */
export async function readWhole(answer: Answer, options: StoreOptions | undefined): Promise<Uint8Array> {
  const bytes = await readBody(answer, options?.maximumBytes);
  options?.onValue?.({ byteLength: bytes.byteLength, version: versionOf(answer) });
  return bytes;
}

/** Compared here, not by the server: If-Match would cost a browser a preflight, and an answer 412 another request. */
export function versionOf({ response }: Answer): string | undefined {
  return response.headers.get("etag") ?? response.headers.get("last-modified") ?? undefined;
}

/** HTTP has no empty ranges; one byte tells as well whether the value is there. */
export function askable(range: RangeQuery): RangeQuery {
  return "suffixLength" in range
    ? { suffixLength: range.suffixLength || 1 }
    : { offset: range.offset, length: range.length || 1 };
}

/** The value of a Range header. */
export function rangeHeader(range: RangeQuery): string {
  return "suffixLength" in range
    ? `bytes=-${range.suffixLength}`
    : `bytes=${range.offset}-${range.offset + range.length - 1}`;
}

/** A URL without its query and password, which may be credentials. */
export const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

/** The error for an answer that is not the value. */
function answerError(answer: Answer, problem: string, isTransient = false, cause?: unknown): StoreError {
  const { key, url, response } = answer;
  const { status, headers } = response;
  const message = `bad answer from ${shown(url)}: ${problem}`;
  return new StoreError(message, {
    key,
    status,
    isTransient,
    retryAfter: headers.get("retry-after") ?? undefined,
    cause,
  });
}

function tooLong(answer: Answer, maximumBytes: number, byteLength?: number): StoreError {
  const got = byteLength === undefined ? "more, and read no further" : `${byteLength}`;
  return answerError(answer, `expected a body of at most ${maximumBytes} bytes, got ${got}`);
}

export function partError(answer: Answer, asked: RangeQuery, byteLength: number): StoreError {
  const got = `Content-Range ${JSON.stringify(answer.response.headers.get("content-range"))} and ${byteLength} bytes`;
  return answerError(answer, `expected the range ${rangeHeader(asked)}, got ${got}`);
}

export function pageError(answer: Answer): StoreError {
  discard(answer.response);
  return answerError(
    answer,
    "expected a value, got an HTML page; for what is missing a server should answer 404",
  );
}

export function statusError(answer: Answer): StoreError {
  const { status, statusText } = answer.response;
  discard(answer.response);
  const advice =
    status === 401 || status === 403
      ? `; check the credentials; if it stands for missing keys, pass \`missingStatuses: [${status}]\``
      : "";
  const isTransient = status === 408 || status === 429 || status >= 500;
  return answerError(answer, `expected status 200, got ${status} ${statusText}${advice}`, isTransient);
}

const METADATA = /(?:\.json|\/\.z(?:array|group|attrs|metadata))$/;

/** Whether the value of a key is a metadata document. */
export const isDocument = (key: string): boolean => METADATA.test(key);

/**
 * The value in an answer that is none by its status or its kind: no value, for a metadata document that comes as HTML.
 * @throws StoreError for anything else, and as `readBody`
 */
export async function readOther(
  answer: Answer,
  options: StoreOptions | undefined,
): Promise<Uint8Array | undefined> {
  if (answer.response.status !== 200) throw statusError(answer);
  if (!isDocument(answer.key)) throw pageError(answer);
  const bytes = await readBody(answer, options?.maximumBytes);
  // No JSON text begins so, while some servers call everything HTML.
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? undefined : bytes;
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
async function readPieces(
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
