/** Encodes elements of variable length into chunks. */
import { int32At, at as itemAt, noItem } from "../../../base/at.js";
import { UnsupportedError } from "../../../base/errors.js";
import { product } from "../../../base/shape.js";
import { type ColumnData, isColumnData, type PlainColumn } from "../../../data-types/column.js";
import { encodeTexts } from "../../../data-types/extra/text.js";
import { isFilledWith } from "../../../kernels/filled.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { Strings } from "../../../kernels/strings-kernels.js";
import type { VariableElements } from "../../codecs/codec.js";
import { concatenated, plain } from "../../codecs/columns.js";
import type { ChunkLocation, VariablePipeline } from "../../codecs/pipeline.js";
import { forEachRun, isWhole, type Placement } from "../placement.js";
import { chooseElements, chooseValues, gather } from "../placing/chosen-elements.js";
import { placeInChunk, placeInResult } from "../placing/places.js";
import type { ChunkEncoder, Encoded, Receiver, WriteBlock } from "../ports.js";
import type { ChunkDecoder } from "../shared/chunk-decoder.js";
import type { ElementOptions } from "./encoders.js";

/**
 * The caller's elements, at the offset and strides of `WriteSource`: a column, strings, byte strings, or any
 * objects.
 */
export type VariableSource = SourceElements & {
  /** The scalar of missing elements. */
  readonly fill: unknown;
  readonly strings: Strings;
};

type SourceElements =
  | { readonly kind: "column"; readonly elements: ColumnData }
  | { readonly kind: "text"; readonly elements: readonly string[] }
  | { readonly kind: "bytes"; readonly elements: readonly Uint8Array[] }
  | { readonly kind: "object"; readonly elements: readonly unknown[] };

export class VariableEncoder implements ChunkEncoder {
  readonly isNow = true;
  readonly blocksAtOnce = 1;
  readonly #decoder: ChunkDecoder;
  readonly #options: ElementOptions;
  readonly #strides: readonly number[];
  readonly #source: VariableSource;
  readonly #variable: VariablePipeline;
  readonly #count: number;

  /** @param strides of the value, in elements */
  constructor(
    decoder: ChunkDecoder,
    options: ElementOptions,
    strides: readonly number[],
    source: VariableSource,
  ) {
    const { variable, shape } = decoder.pipeline;
    if (variable === undefined)
      throw new UnsupportedError("internal error: no codec for elements of variable length");
    this.#decoder = decoder;
    this.#options = options;
    this.#strides = strides;
    this.#source = source;
    this.#variable = variable;
    this.#count = product(shape);
    if (this.#count >= 2 ** 31) {
      throw new UnsupportedError(
        `expected chunks of fewer than 2^31 elements of variable length, got ${this.#count}; create the array with a smaller chunkShape`,
      );
    }
  }

  encode({ band, offset, at, old }: WriteBlock, receiver: Receiver): void {
    const { kernels, pipeline } = this.#decoder;
    const { writeEmptyChunks } = this.#options;
    for (const [i, chunk] of band.chunks.entries()) {
      const place = itemAt(at, i);
      const to = placeInChunk(chunk, pipeline.strides);
      const from = placeInResult(chunk, { offset, strides: this.#strides });
      const elements = kernels.within(pipeline.scratch(), () => this.#elements(from, to, old[i], place));
      const isEmpty = !writeEmptyChunks && this.#isEmpty(elements);
      receiver.take(i, isEmpty ? undefined : this.#encode(elements, place), true);
    }
  }

  encodeFill(at: ChunkLocation): Uint8Array {
    const { strings, kind, fill } = this.#source;
    const indices = new Int32Array(this.#count);
    return this.#encode(
      kind === "object" ? Array.from(indices, () => fill) : gather(strings, this.#fillColumn(), indices),
      at,
    );
  }

  /** @returns memory outside the arena */
  #encode(elements: VariableElements, at: ChunkLocation): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    // Elements may be longer than `pipeline.byteLength` assumes, and encoders without enough memory do not
    // compress.
    const given = isColumnData(elements) ? elements.data.length + elements.offsets.byteLength : 0;
    const room = pipeline.scratch(Math.max(pipeline.byteLength, 2 * given));
    const stored = kernels.within(room, () => kept(kernels, this.#variable.encode(elements, kernels, at)));
    return kernels.within(pipeline.scratch(stored.length), () =>
      kept(kernels, pipeline.encode(stored, kernels, at)),
    );
  }

  /** All elements of the chunk in its stored order. */
  #elements(from: Placement, box: Placement, encoded: Encoded, at: ChunkLocation): VariableElements {
    const { kernels, pipeline } = this.#decoder;
    const old = encoded && this.#variable.decode(pipeline.decode(encoded, kernels, at), kernels, at);
    const { strings } = this.#source;
    if (this.#source.kind === "object") return this.#values(from, box, old);
    // The column is used as it is: codecs with offsets of 64 bits accept more than can be joined here.
    if (isWhole(box, this.#count)) return this.#given(from);
    const given = plain(strings, this.#given(from));
    const kept = old !== undefined && isColumnData(old) ? plain(strings, old) : undefined;
    const base = kept ?? this.#fillColumn();
    const indices = new Int32Array(this.#count);
    if (kept !== undefined) for (let i = 0; i < indices.length; i++) indices[i] = i;
    const first = base.offsets.length - 1;
    forEachRun(box, (start, stride, count, inBox) => {
      for (let i = 0, to = start; i < count; i++, to += stride) indices[to] = first + inBox + i;
    });
    return gather(strings, join(base, given), indices);
  }

  /** The elements to write into a box, in its order. */
  #given(from: Placement): ColumnData {
    const source = this.#source;
    switch (source.kind) {
      case "column":
        return chooseElements(source.strings, source.elements, from);
      case "text":
        return encodeTexts(source.strings, choose(source.elements, from));
      case "bytes":
        return concatenated(choose(source.elements, from));
      case "object":
        throw new UnsupportedError("expected strings or bytes, got objects, which a column cannot hold");
    }
  }

  #values(from: Placement, box: Placement, old: VariableElements | undefined): unknown[] {
    const { elements, fill } = this.#source;
    const values =
      old === undefined || isColumnData(old) ? new Array<unknown>(this.#count).fill(fill) : Array.from(old);
    const given = chooseValues(elements, from);
    forEachRun(box, (start, stride, count, inBox) => {
      for (let i = 0, to = start; i < count; i++, to += stride) values[to] = given[inBox + i];
    });
    return values;
  }

  #fillColumn(): PlainColumn {
    const { fill } = this.#source;
    const data = fill instanceof Uint8Array ? fill : new TextEncoder().encode(String(fill ?? ""));
    return { offsets: Int32Array.of(0, data.length), data };
  }

  #isEmpty(elements: VariableElements): boolean {
    const { strings, fill } = this.#source;
    if (!isColumnData(elements)) return elements.every((value) => Object.is(value, fill));
    const { data } = this.#fillColumn();
    const { offsets } = elements;
    const byteLength =
      Number(offsets[this.#count] ?? noItem(offsets, this.#count)) - Number(offsets[0] ?? noItem(offsets, 0));
    return (
      byteLength === this.#count * data.length &&
      isRepeated(this.#decoder.kernels, plain(strings, elements), data)
    );
  }
}

/** The bytes, copied out of scratch memory if they are there. */
const kept = (kernels: Kernels, bytes: Uint8Array): Uint8Array =>
  kernels.isScratch(bytes) ? bytes.slice() : bytes;

/** The elements of a box, in its order. */
function choose<Element>(elements: readonly Element[], box: Placement): readonly Element[] {
  if (isWhole(box, elements.length)) return elements;
  const picked: Element[] = [];
  forEachRun(box, (start, stride, count) => {
    for (let i = 0, at = start; i < count; i++, at += stride) {
      const element = elements[at];
      if (element !== undefined) picked.push(element);
    }
  });
  return picked;
}

/** Joins two columns. */
function join(first: PlainColumn, second: PlainColumn): PlainColumn {
  const offsets = new Int32Array(first.offsets.length + second.offsets.length - 1);
  const data = new Uint8Array(first.data.length + second.data.length);
  offsets.set(first.offsets);
  const base = first.data.length;
  const at = first.offsets.length - 1;
  for (let i = 0; i < second.offsets.length; i++) offsets[at + i] = base + int32At(second.offsets, i);
  data.set(first.data);
  data.set(second.data, base);
  return { offsets, data };
}

/** Whether every element equals `pattern`. */
function isRepeated(kernels: Kernels, { offsets, data }: PlainColumn, pattern: Uint8Array): boolean {
  const count = offsets.length - 1;
  if (data.length !== count * pattern.length) return false;
  if (pattern.length === 0) return true;
  for (let i = 1; i <= count; i++) if (offsets[i] !== i * pattern.length) return false;
  return isFilledWith(kernels, data, pattern);
}
