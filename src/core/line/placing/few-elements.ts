/**
 * Reads few elements of large chunks: the offsets of a chunk, and of its data only the selected elements.
 * This is for codecs that store data uncompressed, in stores that answer ranges.
 */
import { int32At, noItem } from "../../../base/at.js";
import { CodecError, isZarrError } from "../../../base/errors.js";
import { product } from "../../../base/shape.js";
import { located } from "../../codecs/byte-stage.js";
import type { RangeSource, VariablePartial } from "../../codecs/codec.js";
import { sliceRange } from "../../stores/keys-and-ranges.js";
import { mergeExtents } from "../../stores/requests/merged-requests.js";
import { indicesOf, inOneRow, type Placement, sizeOf } from "../placement.js";
import type {
  Batch,
  ChunkSource,
  Coordinates,
  CoreArray,
  Parts,
  Piece,
  RangeQuery,
  ReadPlan,
} from "../ports.js";
import { ReadRequests } from "../requests.js";
import { forEach } from "../shared/concurrency.js";
import { HELD_FOR_READ } from "../shared/held-bytes.js";
import type { ReadOptions } from "../shared/options.js";
import { placeInChunk, placeInResult } from "./places.js";
import type { Sink } from "./sinks.js";

/** If more than this part of chunks is selected, they are read whole, which saves a request. */
const LARGEST_SHARE = 1 / 4;
/** Shorter inner chunks of a shard are read whole: one more request costs as much. */
const SMALLEST_INNER = 128 << 10;

/** Attempts to find the offsets and the data of a chunk of one version, before it is read as a whole. */
const ATTEMPTS = 2;

/** The codec that finds single elements; undefined where whole chunks take less time. */
export function partialOf(
  { pipeline, source }: CoreArray,
  { batches, chunks }: ReadPlan,
): VariablePartial | undefined {
  const { variable, wrapped, shape } = pipeline;
  const { partial } = variable ?? {};
  if (partial === undefined || wrapped || source.rangeSupport === "none") return undefined;
  const most = product(shape, chunks * LARGEST_SHARE);
  let elements = 0;
  for (const piece of piecesOf(batches)) {
    elements += piece.picked?.count ?? piece.parts.reduce((count, part) => count * part.count, 1);
    if (elements > most) return undefined;
  }
  return partial;
}

/** Reads the pieces of a plan into a sink. @param place of the result, in elements */
export async function readFew(
  array: CoreArray,
  partial: VariablePartial,
  { batches }: ReadPlan,
  sink: Sink,
  place: Pick<Placement, "offset" | "strides">,
  options: ReadOptions,
  done: ((batch: Batch) => void) | undefined,
): Promise<void> {
  const requests = new ReadRequests(options, { requestBytes: 1, held: HELD_FOR_READ });
  const isInner = array.stored.some((length) => length > 1);
  const one = async (piece: Piece): Promise<void> => {
    const at = array.source.locate(piece.chunk);
    const { strides } = array.pipelineOf(piece.chunk);
    const isShort = isInner && (await isShortInner(array.source, piece.chunk, requests));
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt > ATTEMPTS || isShort;
      const source = new ChunkRanges(array.source, piece.chunk, requests, isLast);
      try {
        const found = await partial.locate(source, array.kernels);
        const box = placeInChunk(piece, strides);
        const column = found && (await elementsAt(source, found, indicesOf(box)));
        if (!source.isOneVersion) continue;
        if (column === undefined) sink.fill(placeInResult(piece, place));
        else sink.put(column, inOneRow(sizeOf(box)), placeInResult(piece, place), column.data, at);
        done?.({ pieces: [piece], blocks: [] });
        return;
      } catch (error) {
        if (!isLast && !source.isOneVersion && isZarrError(error, "CodecError", "StoreError")) continue;
        throw error instanceof CodecError ? located(error, partial.codec, at) : error;
      }
    }
  };
  try {
    await forEach(piecesOf(batches), requests.atOnce, one);
  } catch (error) {
    requests.abort(error);
    throw error;
  } finally {
    requests.end();
  }
}

/** The index of a shard has the lengths of its inner chunks. */
async function isShortInner(
  source: ChunkSource,
  chunk: Coordinates,
  requests: ReadRequests,
): Promise<boolean> {
  const found = await source.parts(chunk, [], requests);
  return (found?.byteLength ?? 0) < SMALLEST_INNER;
}

function* piecesOf(batches: ReadPlan["batches"]): Generator<Piece, void> {
  for (const { pieces } of batches) yield* pieces;
}

/** Ranges of one chunk, which notices when the chunk is replaced between two requests. */
class ChunkRanges implements RangeSource {
  readonly #source: ChunkSource;
  readonly #chunk: Coordinates;
  readonly #requests: ReadRequests;
  /** The whole chunk is read, by one request: always of one version. */
  readonly #isWhole: boolean;
  #whole: Promise<Uint8Array | undefined> | undefined;
  #version: Parts["version"] | undefined;
  isOneVersion = true;

  constructor(source: ChunkSource, chunk: Coordinates, requests: ReadRequests, isWhole: boolean) {
    this.#source = source;
    this.#chunk = chunk;
    this.#requests = requests;
    this.#isWhole = isWhole;
  }

  async edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined> {
    const found = await this.#parts([
      location === "start" ? { offset: 0, length } : { suffixLength: length },
    ]);
    return found?.[0];
  }

  async parts(extents: Parameters<RangeSource["parts"]>[0]): Promise<readonly Uint8Array[] | undefined> {
    const { merged, place } = mergeExtents(extents, this.#requests.coalesce);
    const found = await this.#parts(merged);
    return (
      found &&
      extents.map(({ length }, i) => {
        const { request, start } = place[i] ?? noItem(place, i);
        return (found[request] ?? noItem(found, request)).subarray(start, start + length);
      })
    );
  }

  async #parts(ranges: readonly RangeQuery[]): Promise<readonly Uint8Array[] | undefined> {
    if (this.#isWhole) {
      this.#whole ??= this.#readWhole();
      const bytes = await this.#whole;
      return bytes && ranges.map((range) => sliceRange(bytes, range));
    }
    const answer = await this.#source.parts(this.#chunk, ranges, this.#requests);
    if (answer === undefined) {
      this.isOneVersion &&= this.#version === undefined;
      return undefined;
    }
    this.#version ??= answer.version;
    this.isOneVersion &&= this.#version === answer.version;
    return answer.parts;
  }

  async #readWhole(): Promise<Uint8Array | undefined> {
    return (await this.#source.parts(this.#chunk, undefined, this.#requests))?.parts[0];
  }
}

async function elementsAt(
  source: RangeSource,
  { offsets, dataStart }: { readonly offsets: Int32Array; readonly dataStart: number },
  indices: Int32Array,
): Promise<{ readonly offsets: Int32Array; readonly data: Uint8Array }> {
  const picked = new Int32Array(indices.length + 1);
  const extents: { offset: number; length: number }[] = [];
  for (const [i, index] of indices.entries()) {
    const offset = dataStart + int32At(offsets, index);
    const length = int32At(offsets, index + 1) - int32At(offsets, index);
    picked[i + 1] = int32At(picked, i) + length;
    if (length === 0) continue;
    const last = extents.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length;
    else extents.push({ offset, length });
  }
  const parts = extents.length === 0 ? [] : await source.parts(extents);
  const found = parts?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  // Offsets of a damaged chunk may be any numbers, so the data is no longer than the bytes that arrived.
  const data = new Uint8Array(Math.min(int32At(picked, indices.length), found));
  let at = 0;
  for (const [i, { offset, length }] of extents.entries()) {
    const part = parts?.[i];
    if (part?.length !== length) {
      throw new CodecError(
        `expected ${length} bytes at ${offset} of the chunk, got ${part?.length ?? 0}: it is truncated or changed`,
        { offset },
      );
    }
    data.set(part, at);
    at += length;
  }
  return { offsets: picked, data };
}
