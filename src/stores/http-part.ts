/** Ranges of values: what servers make of the Range header, and of HEAD. */
import { isZarrError } from "../errors.js";
import {
  type Answer,
  askable,
  discard,
  isMissing,
  isPage,
  pageError,
  partError,
  readBody,
  readWhole,
  statusError,
  versionOf,
} from "./http-answer.js";
import { ignoredRanges, resolveRange, sliceRange } from "./keys-and-ranges.js";
import { placeOf } from "./storage-identity.js";
import type { RangeQuery, Readable, StoreOptions, ValueState } from "./store.js";

/** What reading parts asks of a store, for one key. */
export interface PartRequests {
  readonly store: Readable;
  /** Whether the first request was HEAD, because the range is a suffix and those are not to be asked for. */
  readonly askHead: boolean;
  /** Whether later ones are to be: set to false when that turns out to be in vain. */
  readonly suffixes: { use: boolean };
  /** @param range of a GET; the answer to HEAD without one */
  request(range?: RangeQuery): Promise<Answer>;
  whole(): Promise<Uint8Array | undefined>;
  /** What no answer counts as: 405 where a browser asks another origin, which may have refused the preflight. */
  readonly silentStatus: number | undefined;
}

/** Whether there is a value. @param head the answer to HEAD */
export async function isThere(
  head: Answer,
  getValue: () => Promise<Uint8Array | undefined>,
): Promise<boolean> {
  if (isMissing(head)) return false;
  if (head.response.status === 200 && !isPage(head)) return true;
  // Signed URLs and some servers refuse HEAD; and only its body tells a page from a value.
  return (await getValue()) !== undefined;
}

/** @param first the answer to the first request */
export async function readRange(
  range: RangeQuery,
  first: Promise<Answer>,
  requests: PartRequests,
  options: StoreOptions | undefined,
): Promise<Uint8Array | undefined> {
  const readPart = async (part: RangeQuery, answer: Promise<Answer>): Promise<Uint8Array | undefined> =>
    readAnswer(await answer, part, requests, options);
  if ("offset" in range) return readPart(range, first);
  let head = first;
  if (!requests.askHead) {
    try {
      return await readPart(range, first);
    } catch (error) {
      const isHopeful =
        isZarrError(error, "StoreError") &&
        SUFFIX_REFUSED.includes(error.status ?? requests.silentStatus) &&
        // A part that broke off is the right one.
        !(error.isTransient && error.status === 206);
      if (!isHopeful) throw error;
    }
    head = requests.request();
  }
  const answer = await head;
  if (isMissing(answer)) return undefined;
  const bytes = await suffixByLength(
    answer,
    range,
    (part) => readPart(part, requests.request(part)),
    () => requests.whole(),
  );
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
  if (!isRightPart(answer, asked, bytes.byteLength)) {
    throw partError(answer, asked, bytes.byteLength);
  }
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

type Bytes = Promise<Uint8Array | undefined>;

/**
 * The last bytes of a value by way of its length, or of all of it when the server does not tell its length.
 * @param answer the answer to HEAD, which does not say that the value is missing
 */
async function suffixByLength(
  { response }: Answer,
  range: { readonly suffixLength: number },
  getPart: (part: { readonly offset: number; readonly length: number }) => Bytes,
  getWhole: () => Bytes,
): Bytes {
  const announced = response.headers.get("content-length");
  if (response.status === 200 && announced !== null) {
    const offset = Math.max(0, Number(announced) - range.suffixLength);
    // To the end, wherever that is: HEAD may have told the length of a compressed body. With too many bytes the last
    // ones are right, with too few the whole value has to come.
    const length = Number.MAX_SAFE_INTEGER - offset;
    const bytes = await getPart({ offset, length });
    if (bytes === undefined || offset === 0 || bytes.byteLength >= range.suffixLength) {
      return bytes && sliceRange(bytes, range);
    }
  }
  const value = await getWhole();
  return value && sliceRange(value, range).slice();
}
