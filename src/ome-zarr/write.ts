/** Writes an image of several resolutions, each made from the one before, box by box. */
import { untilAborted } from "../abort.js";
import { type CreateArrayOptions, create } from "../array/create.js";
import { get } from "../array/get.js";
import { type Location, toLocation } from "../array/location.js";
import { type Group, ZarrArray } from "../array/nodes.js";
import { updateAttributes } from "../array/rewrite.js";
import { set } from "../array/set.js";
import type { DataTypeName } from "../data-types/names.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../errors.js";
import { product } from "../shape.js";
import type { WritableStore } from "../stores/store.js";
import { type DownsamplingMethod, downsample, isSamples, type Samples } from "./downsample.js";
import { type AxisOption, byAxis, checkAxes, checkFactors } from "./write-axes.js";

/** How far a write is: elements of all levels. */
export interface MultiscaleProgress {
  readonly level: number;
  readonly levels: number;
  readonly elementsDone: number;
  readonly elementsTotal: number;
}

export interface WriteMultiscaleOptions
  extends Pick<
    CreateArrayOptions<DataTypeName>,
    "chunkShape" | "shards" | "codecs" | "overwrite" | "signal"
  > {
  /** One for each dimension, in the order time, channel, space: `["c", "y", "x"]`, or objects with `type` and `unit`. */
  readonly axes: readonly AxisOption[];
  /** How much smaller each further level is than the first: along the last two axes, or by name, `{ z: 2, y: 4, x: 4 }`. [2, 4] unless given. */
  readonly scaleFactors?: readonly (number | Readonly<Record<string, number>>)[] | undefined;
  /** "mean" unless given; "mode" or "nearest" for labels. */
  readonly method?: DownsamplingMethod | undefined;
  /** Of the first level, by the name of an axis; 1 unless given. */
  readonly pixelSize?: Readonly<Record<string, number>> | undefined;
  readonly name?: string | undefined;
  /** "0.5", in Zarr v3, unless given; "0.4" is in v2. */
  readonly version?: "0.4" | "0.5" | undefined;
  readonly onProgress?: ((progress: MultiscaleProgress) => void) | undefined;
}

/** Elements in memory, in C order. */
export interface ImageData {
  readonly data: Samples;
  readonly shape: readonly number[];
}

type Source = ZarrArray<DataTypeName> | ImageData;

/** Data types that can be down-sampled. */
const SAMPLE_TYPES = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float32",
  "float64",
] as const;
type SampleType = (typeof SAMPLE_TYPES)[number];

/** Elements of a box, roughly: what is in memory at a time is this, and as many times more as the factors multiply to. */
const BOX_ELEMENTS = 1 << 20;
const METHODS: readonly DownsamplingMethod[] = ["mean", "mode", "nearest"];

/**
 * Writes an image: its levels 0, 1, 2, ... below a group, and last the group's `multiscales`, so that an image that was not finished is none.
 * A level has `ceil(length / factor)` elements; its pixels lie in the middle of the blocks that they are made of.
 * @param source an array of Zarr, read box by box, or elements in memory
 * @throws InvalidArgumentError, UnsupportedError for a data type without numbers, AlreadyExistsError without `overwrite`, and what `create`, `get` and `set` throw
 */
export async function writeMultiscale<S extends WritableStore>(
  where: Location<S> | S,
  source: Source,
  options: WriteMultiscaleOptions,
): Promise<Group<S>> {
  const { version = "0.5", method = "mean", signal, scaleFactors = [2, 4] } = options;
  if (version !== "0.5" && version !== "0.4")
    throw new InvalidArgumentError(`version: expected "0.4" or "0.5", got ${describe(version)}`);
  if (!METHODS.includes(method))
    throw new InvalidArgumentError(`method: expected "mean", "mode" or "nearest", got ${describe(method)}`);
  const { shape } = source;
  const axes = checkAxes(options.axes, shape.length);
  const pixelSize = byAxis(
    options.pixelSize ?? {},
    axes,
    "pixelSize",
    (size) => Number.isFinite(size) && size > 0,
  );
  const levels = checkFactors(scaleFactors, axes);
  const dtype = dataTypeOf(source);
  return untilAborted(signal, async () => {
    const location = toLocation(where);
    const zarrFormat = version === "0.5" ? 3 : 2;
    const group = await create(location, { zarrFormat, overwrite: options.overwrite, signal });
    const shapes = levels.map((factors) => shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1))));
    const tell = progressOf(options, shapes);
    let before: Source = source;
    for (const [i, factors] of levels.entries()) {
      const array = await create(group.resolve(String(i)), {
        shape: shapes[i] ?? [],
        dtype,
        zarrFormat,
        dimensionNames: axes.map(({ name }) => name),
        chunkShape: options.chunkShape,
        shards: options.shards,
        codecs: options.codecs,
        ...(zarrFormat === 2 ? { chunkSeparator: "/" } : {}),
        signal,
      });
      const ratio = factors.map((factor, d) => factor / (levels[i - 1]?.[d] ?? factor));
      await writeLevel(array, before, ratio, method, signal, (elements) => tell(i, elements));
      before = array;
    }
    const { name } = options;
    const multiscale = {
      ...(name === undefined ? {} : { name }),
      axes: axes.map((axis) => ({ ...axis })),
      datasets: levels.map((factors, i) => ({
        path: String(i),
        coordinateTransformations: stepsOf(factors, pixelSize),
      })),
      type: method,
    };
    const attributes =
      version === "0.5"
        ? { ome: { version, multiscales: [multiscale] } }
        : { multiscales: [{ version, ...multiscale }] };
    return updateAttributes(group, attributes, { signal });
  });
}

/** The middle of a block of `factor` pixels is `(factor - 1) / 2` pixels after that of its first. */
function stepsOf(factors: readonly number[], pixelSize: readonly number[]) {
  return [
    { type: "scale", scale: factors.map((factor, d) => factor * (pixelSize[d] ?? 1)) },
    {
      type: "translation",
      translation: factors.map((factor, d) => ((factor - 1) / 2) * (pixelSize[d] ?? 1)),
    },
  ];
}

function dataTypeOf(source: Source): SampleType {
  const name = source instanceof ZarrArray ? source.dtype : nameOf(source);
  const found = SAMPLE_TYPES.find((type) => type === name);
  if (found !== undefined) return found;
  throw new UnsupportedError(`elements of ${name} cannot be down-sampled: ${SAMPLE_TYPES.join(", ")} can`);
}

/** "Uint8Array" has uint8, "BigInt64Array" int64. */
function nameOf({ data, shape }: ImageData): string {
  if (!isSamples(data) || !Array.isArray(shape) || product(shape) !== data.length) {
    throw new InvalidArgumentError("expected an array, or a typed array with its shape, in C order");
  }
  const [kind = ""] = Object.prototype.toString.call(data).slice(8).split("Array");
  return kind.replace("BigInt", "Int").replace("BigUint", "Uint").replace("Clamped", "").toLowerCase();
}

function progressOf({ onProgress }: WriteMultiscaleOptions, shapes: readonly (readonly number[])[]) {
  const elementsTotal = shapes.reduce((sum, shape) => sum + product(shape), 0);
  let elementsDone = 0;
  return (level: number, elements: number) => {
    elementsDone += elements;
    onProgress?.({ level, levels: shapes.length, elementsDone, elementsTotal });
  };
}

/** Box by box: each is whole chunks, or shards, of the level, which are written once. */
async function writeLevel<S extends WritableStore>(
  array: ZarrArray<SampleType, S>,
  source: Source,
  factors: readonly number[],
  method: DownsamplingMethod,
  signal: AbortSignal | undefined,
  tell: (elements: number) => void,
): Promise<void> {
  const { shape } = array;
  if (shape.includes(0)) return;
  for (const { start, stop } of boxes(shape, boxShape(shape, array.shards ?? array.chunks))) {
    const from = start.map((index, d) => index * (factors[d] ?? 1));
    const to = stop.map((index, d) => Math.min(source.shape[d] ?? 0, index * (factors[d] ?? 1)));
    const read = await readBox(source, from, to, signal);
    const isSame = factors.every((factor) => factor === 1);
    const lengths = to.map((end, d) => end - (from[d] ?? 0));
    const data = isSame ? read : downsample(read, lengths, factors, method);
    const box = stop.map((end, d) => end - (start[d] ?? 0));
    await set(array, selectionOf(start, stop), { data, shape: box }, { signal });
    tell(data.length);
  }
}

/** As many chunks as `BOX_ELEMENTS` has room for, the last dimensions first; one at least. */
function boxShape(shape: readonly number[], chunk: readonly number[]): number[] {
  const box = [...chunk];
  for (let d = shape.length - 1; d >= 0; d--) {
    while ((box[d] ?? 1) < (shape[d] ?? 1) && 2 * product(box) <= BOX_ELEMENTS) box[d] = 2 * (box[d] ?? 1);
  }
  return box;
}

function* boxes(shape: readonly number[], box: readonly number[]) {
  const counts = shape.map((length, d) => Math.ceil(length / (box[d] ?? 1)));
  for (let i = 0, count = product(counts); i < count; i++) {
    const start: number[] = [];
    for (let d = shape.length - 1, rest = i; d >= 0; d--) {
      const along = counts[d] ?? 1;
      start[d] = (rest % along) * (box[d] ?? 1);
      rest = Math.floor(rest / along);
    }
    yield { start, stop: start.map((index, d) => Math.min(shape[d] ?? 0, index + (box[d] ?? 1))) };
  }
}

function selectionOf(start: readonly number[], stop: readonly number[]) {
  return start.map((index, d) => ({ start: index, stop: stop[d] ?? 0, step: 1 }));
}

async function readBox(
  source: Source,
  start: readonly number[],
  stop: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Samples> {
  if (!(source instanceof ZarrArray)) return cut(source, start, stop);
  const { data } = await get(source, selectionOf(start, stop), { signal });
  if (isSamples(data)) return data;
  throw new UnsupportedError(`elements of ${source.dtype} cannot be down-sampled`, { path: source.path });
}

/** A copy of a box, row by row. */
function cut({ data, shape }: ImageData, start: readonly number[], stop: readonly number[]): Samples {
  const lengths = stop.map((end, d) => end - (start[d] ?? 0));
  const width = lengths.at(-1) ?? 1;
  const count = product(lengths);
  const target = data.slice(0, count);
  for (let row = 0; row * width < count; row++) {
    let from = start.at(-1) ?? 0;
    for (let d = shape.length - 2, rest = row, stride = shape.at(-1) ?? 1; d >= 0; d--) {
      const length = lengths[d] ?? 1;
      from += ((start[d] ?? 0) + (rest % length)) * stride;
      rest = Math.floor(rest / length);
      stride *= shape[d] ?? 1;
    }
    copyRow(target, row * width, data, from, width);
  }
  return target;
}

function copyRow(target: Samples, at: number, data: Samples, from: number, width: number): void {
  for (let x = 0; x < width; x++) target[at + x] = data[from + x] ?? 0;
}
