/**
 * Reads ranges of values over HTTP: checks the answers, and tries other requests with servers that refuse the
 * Range header or HEAD.
 */
import { isZarrError, type StoreError } from "../../../base/errors.js";
import { ignoredRanges, resolveRange, sliceRange } from "../keys-and-ranges.js";
import type { ReadBytes } from "../network-store.js";
import { storageOf } from "../storage-identity.js";
import type { RangeQuery, Readable, StoreOptions, ValueState } from "../store.js";
import {
  type Answer,
  answerError,
  askable,
  discard,
  isMissing,
  isPage,
  pageError,
  rangeHeader,
  readBody,
  readWhole,
  stateOf,
  statusError,
} from "./answer.js";

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

/** The request that was sent while this file was loading. */
interface FirstRequest {
  readonly answer: Promise<Answer>;
  /** Whether it is a HEAD instead of a GET of the range. */
  readonly isHead: boolean;
}

export async function readRange(
  range: RangeQuery,
  first: FirstRequest,
  requests: PartRequests,
  options: StoreOptions | undefined,
): Promise<ReadBytes | undefined> {
  if ("offset" in range) return readAnswer(await first.answer, range, requests, options);
  if (!first.isHead) {
    try {
      return await readAnswer(await first.answer, range, requests, options);
    } catch (error) {
      const isHopeful =
        isZarrError(error, "StoreError") &&
        SUFFIX_REFUSED.includes(error.status ?? requests.silentStatus) &&
        // A truncated 206 response had the right range, so the server supports suffixes.
        !(error.isTransient && error.status === 206);
      if (!isHopeful) throw error;
    }
  }
  const head = await (first.isHead ? first.answer : requests.request());
  if (isMissing(head)) return undefined;
  const readPart = async (part: RangeQuery): Promise<ReadBytes | undefined> =>
    readAnswer(await requests.request(part), part, requests, options);
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
  const request = askable(range);
  const askedLength = "suffixLength" in request ? request.suffixLength : request.length;
  const bytes = await readBody(answer, Math.min(askedLength, options?.maximumBytes ?? askedLength));
  if (!isRightPart(answer, request, bytes.byteLength)) throw partError(answer, request, bytes.byteLength);
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
function isRightPart({ response }: Answer, request: RangeQuery, byteLength: number): boolean {
  const header = response.headers.get("content-range");
  // CORS hides the header from a browser unless the server exposes it. In a same-origin response it is
  // required.
  if (header === null && response.type === "basic") return false;
  const isSeveral = response.headers.get("content-type")?.startsWith("multipart/") === true;
  let isRight =
    !isSeveral && byteLength <= ("suffixLength" in request ? request.suffixLength : request.length);
  if (header !== null) {
    // Azurite says "bytes 0--1/0" of an empty value.
    const [, first, last, total] = /^bytes (\d+)-(-?\d+)\/(\d+|\*)$/i.exec(header) ?? [];
    // If the length of the value is unknown, only the start of the range can be checked.
    const expected =
      total === undefined || total === "*"
        ? { start: "offset" in request ? request.offset : Number(first), end: Number(last) + 1 }
        : resolveRange(request, Number(total));
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

function partError(answer: Answer, request: RangeQuery, byteLength: number): StoreError {
  const got = `Content-Range ${JSON.stringify(answer.response.headers.get("content-range"))} and ${byteLength} bytes`;
  return answerError(answer, `expected the range ${rangeHeader(request)}, got ${got}`);
}
