/**
 * Values of a store as answers of HTTP: in pieces, so that clients that read slowly, or not at all, hold
 * little memory.
 */

import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { CheckedStore } from "../../extend.js";
import { type AbsolutePath, type RangeQuery, type Store, StoreError } from "../../index.js";
import type { ValueState } from "../../main/stores.js";
import type { Answer } from "./answers.js";

/** Bytes that are read at a time for one client. */
export const PIECE = 256 << 10;

/** A value that a request asks for. */
interface ValueRequest {
  readonly store: Store;
  readonly key: AbsolutePath;
  readonly signal: AbortSignal;
}

/**
 * The answer to HEAD, which reads no bytes of the value if the store reads ranges; undefined for a missing
 * value.
 */
export async function answerHead(
  request: ValueRequest,
  headers: IncomingHttpHeaders,
): Promise<Answer | undefined> {
  const state = await stateOf(request);
  if (state === undefined) return undefined;
  const { byteLength } = state;
  const described = describe(request.key, state);
  if (isKnown(state, headers)) return { status: 304, headers: described };
  const length = byteLength === undefined ? {} : { "content-length": byteLength };
  return { status: 200, headers: { ...described, ...length } };
}

/** The answer to GET; undefined for a missing value. */
export async function answerGet(
  request: ValueRequest,
  headers: IncomingHttpHeaders,
): Promise<Answer | undefined> {
  const { key } = request;
  const { "if-none-match": known, "if-range": condition } = headers;
  let range = rangeOf(headers.range);
  // Conditions and suffixes need the value's state before its bytes.
  const isConditional = known !== undefined || (range !== undefined && condition !== undefined);
  if (isConditional || (range !== undefined && "suffixLength" in range)) {
    const state = await stateOf(request);
    if (state === undefined) return undefined;
    if (isKnown(state, headers)) return { status: 304, headers: describe(key, state) };
    if (condition !== undefined && condition !== tagOf(state)) range = undefined;
    if (range && "suffixLength" in range && state.byteLength !== undefined) {
      const { start, end } = within(range, state.byteLength);
      range = { offset: start, length: end - start };
    }
  }
  const first = await firstPiece(request, range);
  return first && answerOf(request, range, first);
}

/** The first bytes of what is asked for, or the whole value if the store reads no ranges. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  readonly state: ValueState & { readonly byteLength: number };
}

async function firstPiece(request: ValueRequest, range: RangeQuery | undefined): Promise<Piece | undefined> {
  if (range === undefined || "offset" in range) {
    const { offset, length } = range ?? { offset: 0, length: PIECE };
    const [bytes, state] = await read(request, { offset, length: Math.min(length, PIECE) });
    if (bytes === undefined) return undefined;
    const { byteLength } = state;
    // A store that reads no ranges would read the whole value for each piece.
    const isSmall = byteLength !== undefined && byteLength <= PIECE;
    if (byteLength !== undefined && (isSmall || new CheckedStore(request.store).readsRanges))
      return { bytes, isWhole: false, state: { ...state, byteLength } };
  }
  const [bytes, state] = await read(request, undefined);
  return bytes && { bytes, isWhole: true, state: { ...state, byteLength: bytes.byteLength } };
}

function answerOf(request: ValueRequest, range: RangeQuery | undefined, piece: Piece): Answer {
  const { state } = piece;
  const total = state.byteLength;
  const { start, end } = range ? within(range, total) : { start: 0, end: total };
  const headers = { ...describe(request.key, state), "content-length": end - start };
  if (range && start === end)
    return {
      status: 416,
      headers: { "content-range": `bytes */${total}` },
      body: "the range is beyond the value\n",
    };
  const body = bodyOf(request, start, end, piece);
  if (!range) return { status: 200, headers, body };
  return {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${start}-${end - 1}/${total}` },
    body,
  };
}

/** The part of a range that a value of this length has. */
function within(range: RangeQuery, byteLength: number): { readonly start: number; readonly end: number } {
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}

function bodyOf(request: ValueRequest, start: number, end: number, piece: Piece): Answer["body"] {
  const { bytes, isWhole } = piece;
  if (isWhole) return bytes.subarray(start, end);
  return bytes.byteLength === end - start ? bytes : piecesOf(request, start, end, piece);
}

/**
 * @throws StoreError when the value is replaced, or ends early: the client notices a body that is shorter
 * than announced
 */
async function* piecesOf(
  request: ValueRequest,
  start: number,
  end: number,
  { bytes: first, state }: Piece,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  for (let at = start + first.byteLength; at < end; ) {
    const [bytes, now] = await read(request, { offset: at, length: Math.min(PIECE, end - at) });
    if (!bytes?.byteLength || now.version !== state.version || now.byteLength !== state.byteLength)
      throw new StoreError("the value changed while it was sent", { key: request.key });
    yield bytes;
    at += bytes.byteLength;
  }
}

/** The state of a value without its bytes, as far as the store knows it; undefined for a missing value. */
async function stateOf(request: ValueRequest): Promise<ValueState | undefined> {
  const [bytes, state] = await read(request, { offset: 0, length: 0 });
  return bytes && state;
}

async function read(
  { store, key, signal }: ValueRequest,
  range: RangeQuery | undefined,
): Promise<readonly [Uint8Array | undefined, ValueState]> {
  const found = await new CheckedStore(store).getParts(key, range && [range], { signal });
  return [found?.parts[0], found ?? {}];
}

function describe(key: AbsolutePath, state: ValueState): OutgoingHttpHeaders {
  const isDocument = /(?:\.json|\/\.z[a-z]+)$/.test(key);
  const etag = tagOf(state);
  return {
    "accept-ranges": "bytes",
    // Browsers must revalidate each time, because data may change while somebody views them. With an ETag the
    // answer is a short 304.
    "cache-control": "no-cache",
    "content-type": isDocument ? "application/json" : "application/octet-stream",
    ...(etag && { etag }),
  };
}

function isKnown(state: ValueState, { "if-none-match": known }: IncomingHttpHeaders): boolean {
  return known !== undefined && known === tagOf(state);
}

/** The ETag of a version: a hash, because versions may contain characters that headers may not. */
function tagOf({ version, byteLength }: ValueState): string | undefined {
  if (version === undefined) return undefined;
  return `"${createHash("sha256").update(`${version} ${byteLength}`).digest("base64url").slice(0, 22)}"`;
}

/**
 * Parses a Range header with one byte range; undefined without one, and for headers that may be ignored (RFC
 * 9110, 14.2).
 */
function rangeOf(header: string | undefined): RangeQuery | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "")
    return last === "" ? undefined : { suffixLength: Math.min(Number(last), Number.MAX_SAFE_INTEGER) };
  const offset = Number(first);
  const end = last === "" ? Number.MAX_SAFE_INTEGER : Math.min(Number(last) + 1, Number.MAX_SAFE_INTEGER);
  return Number.isSafeInteger(offset) && end > offset ? { offset, length: end - offset } : undefined;
}
