/** What a server's answer means: checks of status, content type, length and range, and the error for each. */
import { isZarrError, StoreError } from "../errors.js";
import { readPieces, type Silence } from "./http-body.js";
import { ignoredRanges, resolveRange, sliceRange } from "./keys-and-ranges.js";
import { isTransientStatus } from "./retry.js";
import { placeOf } from "./storage-identity.js";
import type { RangeQuery, Readable, StoreOptions, ValueState } from "./store.js";

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
async function readBody(answer: Answer, maximumBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
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
async function readWhole(answer: Answer, options: StoreOptions | undefined): Promise<Uint8Array> {
  const bytes = await readBody(answer, options?.maximumBytes);
  options?.onValue?.({ byteLength: bytes.byteLength, version: versionOf(answer) });
  return bytes;
}

/** Compared here, not by the server: If-Match would cost a browser a preflight, and an answer 412 another request. */
function versionOf({ response }: Answer): string | undefined {
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
  const { status, statusText } = answer.response;
  discard(answer.response);
  const advice =
    status === 401 || status === 403
      ? `; check the credentials; if it stands for missing keys, pass \`missingStatuses: [${status}]\``
      : "";
  const problem = `expected status 200, got ${status} ${statusText}${advice}`;
  return answerError(answer, problem, isTransientStatus(status));
}

const METADATA = /(?:\.json|\/\.z(?:array|group|attrs|metadata))$/;

/** Whether the value of a key is a metadata document. */
export const isDocument = (key: string): boolean => METADATA.test(key);

/** The value in an answer to GET: none, too, for a metadata document that comes as HTML. @throws StoreError for anything else, and as `readBody` */
export async function readValue(
  answer: Answer,
  options: StoreOptions | undefined,
): Promise<Uint8Array | undefined> {
  if (isMissing(answer)) return undefined;
  if (answer.response.status !== 200) throw statusError(answer);
  if (!isPage(answer)) return readWhole(answer, options);
  if (!isDocument(answer.key)) throw pageError(answer);
  const bytes = await readBody(answer, options?.maximumBytes);
  // No JSON text begins so, while some servers call everything HTML.
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? undefined : bytes;
}

// Ranges of values: what servers make of the Range header, and of HEAD.

/** What reading parts asks of a store, for one key. */
interface PartRequests {
  readonly store: Readable;
  /** Whether the last bytes are to be asked for as such, not by way of HEAD: set to false when that turns out to be in vain. */
  readonly suffixes: { use: boolean };
  /** @param range of a GET; the answer to HEAD without one */
  request(range?: RangeQuery): Promise<Answer>;
  readonly whole: () => Promise<Uint8Array | undefined>;
  /** What no answer counts as: 405 where a browser asks another origin, which may have refused the preflight. */
  readonly silentStatus: number | undefined;
}

export async function readRange(
  range: RangeQuery,
  requests: PartRequests,
  options: StoreOptions | undefined,
): Promise<Uint8Array | undefined> {
  const readPart = async (part: RangeQuery): Promise<Uint8Array | undefined> =>
    readAnswer(await requests.request(part), part, requests, options);
  if ("offset" in range) return readPart(range);
  if (requests.suffixes.use) {
    try {
      return await readPart(range);
    } catch (error) {
      const isHopeful =
        isZarrError(error, "StoreError") &&
        SUFFIX_REFUSED.includes(error.status ?? requests.silentStatus) &&
        // A part that broke off is the right one.
        !(error.isTransient && error.status === 206);
      if (!isHopeful) throw error;
    }
  }
  const head = await requests.request();
  if (isMissing(head)) return undefined;
  const bytes = await suffixByLength(head, range, readPart, requests);
  requests.suffixes.use = false;
  return bytes;
}

/** Answers to a suffix range that leave hope for another way: a wrong part, a refusal. */
const SUFFIX_REFUSED: readonly (number | undefined)[] = [206, 400, 405, 416, 501];

async function readAnswer(
  answer: Answer,
  range: RangeQuery,
  { store, suffixes }: PartRequests,
  options: StoreOptions | undefined,
): Promise<Uint8Array | undefined> {
  if (isMissing(answer)) return undefined;
  const { status } = answer.response;
  // The value ends before the range begins.
  if (status === 416 && "offset" in range) {
    discard(answer.response);
    options?.onValue?.(partState(answer));
    return new Uint8Array(0);
  }
  if (status !== 200 && status !== 206) throw statusError(answer);
  if (isPage(answer)) throw pageError(answer);
  if (status === 200) {
    // The whole value came: it would every time.
    if ("suffixLength" in range) suffixes.use = false;
    ignoredRanges.add(placeOf(store));
    // A copy, for a view would keep the whole body in memory.
    return sliceRange(await readWhole(answer, options), range).slice();
  }
  ignoredRanges.delete(placeOf(store));
  const asked = askable(range);
  const askedLength = "suffixLength" in asked ? asked.suffixLength : asked.length;
  const bytes = await readBody(answer, Math.min(askedLength, options?.maximumBytes ?? askedLength));
  if (!isRightPart(answer, asked, bytes.byteLength)) throw partError(answer, asked, bytes.byteLength);
  options?.onValue?.(partState(answer));
  return sliceRange(bytes, "suffixLength" in range ? range : { offset: 0, length: range.length });
}

/** What an answer with status 206 or 416 tells about the whole value; behind CORS that may be nothing but Last-Modified. */
function partState(answer: Answer): ValueState {
  const [, total] = /\/(\d+)$/.exec(answer.response.headers.get("content-range") ?? "") ?? [];
  return { byteLength: total === undefined ? undefined : Number(total), version: versionOf(answer) };
}

/** Whether a part is the one asked for, by its length and by its Content-Range, where CORS does not hide that. */
function isRightPart({ response }: Answer, asked: RangeQuery, byteLength: number): boolean {
  const header = response.headers.get("content-range");
  // Another origin's is hidden from a browser unless the server exposes it.
  if (header === null && response.type === "basic") return false;
  const isSeveral = response.headers.get("content-type")?.startsWith("multipart/") === true;
  let isRight = !isSeveral && byteLength <= ("suffixLength" in asked ? asked.suffixLength : asked.length);
  if (header !== null) {
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(header) ?? [];
    // With the value's length unknown, only where a range begins can be checked.
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
 * The last bytes of a value by way of its length, or of all of it when the server does not tell its length.
 * @param answer the answer to HEAD, which does not say that the value is missing
 */
async function suffixByLength(
  { response }: Answer,
  range: { readonly suffixLength: number },
  readPart: (part: RangeQuery) => Promise<Uint8Array | undefined>,
  { whole }: PartRequests,
): Promise<Uint8Array | undefined> {
  const announced = response.headers.get("content-length");
  if (response.status === 200 && announced !== null) {
    const offset = Math.max(0, Number(announced) - range.suffixLength);
    // To the end, wherever that is: HEAD may have told the length of a compressed body. With too many bytes the last
    // ones are right, with too few the whole value has to come.
    const bytes = await readPart({ offset, length: Number.MAX_SAFE_INTEGER - offset });
    if (bytes === undefined || offset === 0 || bytes.byteLength >= range.suffixLength) {
      return bytes && sliceRange(bytes, range);
    }
  }
  const value = await whole();
  return value && sliceRange(value, range).slice();
}
