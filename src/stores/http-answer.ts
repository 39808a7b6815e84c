/** Interprets HTTP responses: checks status, content type, length and range, and makes the error for each. */
import { isZarrError, StoreError } from "../errors.js";
import { readPieces, type Silence } from "./http-body.js";
import { ignoredRanges, resolveRange, sliceRange } from "./keys-and-ranges.js";
import type { ReadBytes } from "./network-store.js";
import { isTransientStatus } from "./retry.js";
import { shown } from "./shown.js";
import { storageOf } from "./storage-identity.js";
import type { RangeQuery, Readable, StoreOptions, ValueState } from "./store.js";

/** A response and its request. */
export interface Answer {
  readonly response: Response;
  readonly key: string;
  readonly url: URL;
  readonly signal: AbortSignal | null;
  readonly silence: Silence;
  /** Statuses besides 404 and 410 that mean "missing value". */
  readonly missingStatuses: readonly number[];
  readonly versionHeader?: string | undefined;
}

/**
 * Whether the status means that the value is missing. If so, it cancels the body, which frees the connection.
 */
export function isMissing({ response, missingStatuses }: Answer): boolean {
  if (![404, 410, ...missingStatuses].includes(response.status)) return false;
  discard(response);
  return true;
}

/**
 * Whether the response is a web page, which single-page applications and login walls send in place of a
 * value.
 */
export function isPage({ response }: Answer): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false;
}

export function discard(response: Response): void {
  // An error of a body that nobody reads does not matter.
  response.body?.cancel().catch(() => {});
}

/**
 * @throws StoreError for a body that breaks off, has another length than announced, or exceeds `maximumBytes`
 * (reading stops there)
 */
export async function readBody(answer: Answer, maximumBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const { response, signal, silence } = answer;
  const { headers } = response;
  // CORS hides Content-Encoding, and the Content-Length of a compressed response is that of the compressed
  // body.
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

/** Reads the body of a response with status 200. @throws StoreError as `readBody` */
async function readWhole(answer: Answer, options: StoreOptions | undefined): Promise<ReadBytes> {
  const bytes = await readBody(answer, options?.maximumBytes);
  return { bytes, ...stateOf(answer, bytes.byteLength) };
}

/**
 * The version is ETag or Last-Modified. The engine compares versions, since If-Match would cost a browser a
 * preflight, and a 412 another request.
 */
function stateOf({ response: { headers }, versionHeader = "etag" }: Answer, byteLength?: number): ValueState {
  const time = headers.get("last-modified") ?? undefined;
  return {
    byteLength,
    version: headers.get(versionHeader) ?? time,
    modified: Date.parse(time ?? "") || undefined,
  };
}

/**
 * The range to request for `range`: one byte in place of an empty range, which HTTP lacks. It shows whether
 * the value exists.
 */
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

/** The error for a response that is not the value. */
function answerError(answer: Answer, problem: string, isTransient = false, cause?: unknown): StoreError {
  return storeError(answer, `bad answer from ${shown(answer.url)}: ${problem}`, isTransient, cause);
}

function storeError(
  { key, response: { status, headers } }: Answer,
  message: string,
  isTransient: boolean,
  cause?: unknown,
): StoreError {
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

function partError(answer: Answer, asked: RangeQuery, byteLength: number): StoreError {
  const got = `Content-Range ${JSON.stringify(answer.response.headers.get("content-range"))} and ${byteLength} bytes`;
  return answerError(answer, `expected the range ${rangeHeader(asked)}, got ${got}`);
}

function pageError(answer: Answer): StoreError {
  discard(answer.response);
  return answerError(
    answer,
    "expected a value, got an HTML page; for what is missing a server should answer 404",
  );
}

function statusError(answer: Answer): StoreError {
  const { url, response } = answer;
  const { status, statusText } = response;
  discard(response);
  const advice =
    status === 401 || status === 403
      ? `; check the credentials; if it stands for missing keys, pass \`missingStatuses: [${status}]\``
      : "";
  // It begins as zarrita's message, of which applications read the status.
  const message = `Unexpected response status ${`${status} ${statusText}`.trim()} from ${shown(url)}${advice}`;
  return storeError(answer, message, isTransientStatus(status));
}

const METADATA = /(?:\.json|\/\.z(?:array|group|attrs|metadata))$/;

/** Whether the value of a key is a metadata document. */
export const isDocument = (key: string): boolean => METADATA.test(key);

/**
 * Reads the value in a response to GET; undefined for a missing one and for HTML in place of a metadata
 * document.
 * @throws StoreError
 */
export async function readValue(
  answer: Answer,
  options: StoreOptions | undefined,
): Promise<ReadBytes | undefined> {
  if (isMissing(answer)) return undefined;
  if (answer.response.status !== 200) throw statusError(answer);
  if (!isPage(answer)) return readWhole(answer, options);
  if (!isDocument(answer.key)) throw pageError(answer);
  const bytes = await readBody(answer, options?.maximumBytes);
  // Some servers label everything as HTML. JSON text never begins with "<".
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? undefined : { bytes };
}

// Range reads, and how servers treat the Range header and HEAD.

/** The requests that range reads of one key need. */
interface PartRequests {
  readonly store: Readable;
  /**
   * `use`: whether to request suffix ranges rather than HEAD. Set to false when the server does not support
   * them.
   */
  readonly suffixes: { use: boolean };
  /** @param range for a GET; without it the request is a HEAD */
  request(range?: RangeQuery): Promise<Answer>;
  readonly whole: () => Promise<ReadBytes | undefined>;
  /**
   * The status that a failed request counts as: 405 for a cross-origin request of a browser, since the
   * preflight may have failed.
   */
  readonly silentStatus: number | undefined;
}

export async function readRange(
  range: RangeQuery,
  requests: PartRequests,
  options: StoreOptions | undefined,
): Promise<ReadBytes | undefined> {
  const readPart = async (part: RangeQuery): Promise<ReadBytes | undefined> =>
    readAnswer(await requests.request(part), part, requests, options);
  if ("offset" in range) return readPart(range);
  if (requests.suffixes.use) {
    try {
      return await readPart(range);
    } catch (error) {
      const isHopeful =
        isZarrError(error, "StoreError") &&
        SUFFIX_REFUSED.includes(error.status ?? requests.silentStatus) &&
        // A truncated 206 response had the right range, so the server supports suffixes.
        !(error.isTransient && error.status === 206);
      if (!isHopeful) throw error;
    }
  }
  const head = await requests.request();
  if (isMissing(head)) return undefined;
  const found = await suffixByLength(head, range, readPart, requests);
  requests.suffixes.use = false;
  return found;
}

/** Statuses of suffix requests after which HEAD may succeed: 206 with a wrong range, and refusals. */
const SUFFIX_REFUSED: readonly (number | undefined)[] = [206, 400, 405, 416, 501];

async function readAnswer(
  answer: Answer,
  range: RangeQuery,
  { store, suffixes }: PartRequests,
  options: StoreOptions | undefined,
): Promise<ReadBytes | undefined> {
  if (isMissing(answer)) return undefined;
  const { status } = answer.response;
  // The value ends before the range begins.
  if (status === 416 && "offset" in range) {
    discard(answer.response);
    return { bytes: new Uint8Array(0), ...partState(answer) };
  }
  if (status !== 200 && status !== 206) throw statusError(answer);
  if (isPage(answer)) throw pageError(answer);
  if (status === 200) {
    // The server ignored `Range`, and would do so every time.
    if ("suffixLength" in range) suffixes.use = false;
    ignoredRanges.add(storageOf(store));
    return cut(await readWhole(answer, options), range);
  }
  ignoredRanges.delete(storageOf(store));
  const asked = askable(range);
  const askedLength = "suffixLength" in asked ? asked.suffixLength : asked.length;
  const bytes = await readBody(answer, Math.min(askedLength, options?.maximumBytes ?? askedLength));
  if (!isRightPart(answer, asked, bytes.byteLength)) throw partError(answer, asked, bytes.byteLength);
  const part = sliceRange(bytes, "suffixLength" in range ? range : { offset: 0, length: range.length });
  return { bytes: part, ...partState(answer) };
}

/** Cuts a range out of a whole value. It is a copy: a view would keep the whole body in memory. */
function cut({ bytes, ...state }: ReadBytes, range: RangeQuery): ReadBytes {
  return { bytes: sliceRange(bytes, range).slice(), ...state };
}

/**
 * The length and version of the whole value, from a response with status 206 or 416. CORS may hide all but
 * Last-Modified.
 */
function partState(answer: Answer): ValueState {
  const [, total] = /\/(\d+)$/.exec(answer.response.headers.get("content-range") ?? "") ?? [];
  return stateOf(answer, total === undefined ? undefined : Number(total));
}

/** Whether the length of a part, and its Content-Range unless CORS hides it, match the requested range. */
function isRightPart({ response }: Answer, asked: RangeQuery, byteLength: number): boolean {
  const header = response.headers.get("content-range");
  // CORS hides the header from a browser unless the server exposes it. In a same-origin response it is
  // required.
  if (header === null && response.type === "basic") return false;
  const isSeveral = response.headers.get("content-type")?.startsWith("multipart/") === true;
  let isRight = !isSeveral && byteLength <= ("suffixLength" in asked ? asked.suffixLength : asked.length);
  if (header !== null) {
    // Azurite says "bytes 0--1/0" of an empty value.
    const [, first, last, total] = /^bytes (\d+)-(-?\d+)\/(\d+|\*)$/i.exec(header) ?? [];
    // If the length of the value is unknown, only the start of the range can be checked.
    const expected =
      total === undefined || total === "*"
        ? { start: "offset" in asked ? asked.offset : Number(first), end: Number(last) + 1 }
        : resolveRange(asked, Number(total));
    isRight &&=
      Number(first) === expected.start &&
      Number(last) + 1 === expected.end &&
      byteLength === expected.end - expected.start;
  }
  return isRight;
}

/**
 * Reads the last bytes of a value by its length from HEAD, or cuts them from the whole value if the length is
 * unknown.
 * @param answer the response to HEAD; its status does not mean "missing value"
 */
async function suffixByLength(
  { response }: Answer,
  range: { readonly suffixLength: number },
  readPart: (part: RangeQuery) => Promise<ReadBytes | undefined>,
  { whole }: PartRequests,
): Promise<ReadBytes | undefined> {
  const announced = response.headers.get("content-length");
  if (response.status === 200 && announced !== null) {
    const offset = Math.max(0, Number(announced) - range.suffixLength);
    // Read to the end of the value, since HEAD may have sent the length of a compressed body. If more bytes
    // come than expected, the last ones are right; if fewer come, read the whole value.
    const found = await readPart({ offset, length: Number.MAX_SAFE_INTEGER - offset });
    if (found === undefined || offset === 0 || found.bytes.byteLength >= range.suffixLength) {
      return found && { ...found, bytes: sliceRange(found.bytes, range) };
    }
  }
  const value = await whole();
  return value && cut(value, range);
}
