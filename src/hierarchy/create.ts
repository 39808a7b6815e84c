/** Creating arrays and groups. */
import { automaticChunkShape, automaticShardShape } from "../chunk-grids/automatic.js";
import type { DataType, Endian } from "../data-types/data-type.js";
import type { DataTypeName, ScalarOf } from "../data-types/names.js";
import { resolveDataType, withAllDataTypes } from "../data-types/registry.js";
import { InvalidArgumentError, UnsupportedError } from "../errors.js";
import type { Json, JsonObject } from "../metadata/json.js";
import type { ArrayMetadata, GroupMetadata } from "../metadata/model.js";
import { isWritable, type Store, type WritableStore } from "../stores/store.js";
import { type CodecOption, codecList, type V2Codecs } from "./codec-options.js";
import { describeStore, Location, toLocation } from "./location.js";
import { Group, ZarrArray } from "./nodes.js";
import { writeNewNode } from "./write-node.js";

interface CreateNodeOptions {
  /** User attributes: JSON; integers may be bigints. */
  readonly attributes?: JsonObject | undefined;
  /** 3 unless given. */
  readonly zarrFormat?: 2 | 3 | undefined;
  /** Replace the node that is there, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CreateGroupOptions extends CreateNodeOptions {
  readonly shape?: undefined;
}

export interface CreateArrayOptions<D> extends CreateNodeOptions {
  readonly shape: readonly number[];
  /** A name such as "float32", v2 or v3 JSON, or a DataType. */
  readonly dtype: D;
  /** Chunk shape (of the inner chunks of a sharded array); about 1 MiB a chunk unless given, 128 KiB in shards. */
  readonly chunkShape?: readonly number[] | "auto" | undefined;
  /** v3: shape of a shard, a multiple of the chunk shape; "auto" takes about 64 MiB. Not sharded unless given. */
  readonly shards?: readonly number[] | "auto" | undefined;
  /** v3: the codecs in encoding order; `bytes` is added when no array-to-bytes codec is among them. v2: filters and compressor. */
  readonly codecs?: readonly CodecOption[] | V2Codecs | undefined;
  /** The scalar of elements that are never written; the data type's zero unless given. v2: null leaves it undefined. */
  readonly fillValue?: ScalarOf<D> | null | undefined;
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Memory layout of a chunk: "F" stores the first dimension fastest. */
  readonly order?: "C" | "F" | undefined;
  /** Byte order of stored elements; little unless given. */
  readonly endian?: Endian | undefined;
  /** Between the indices of a chunk key: "/" for v3 and "." for v2 unless given. */
  readonly chunkSeparator?: "/" | "." | undefined;
  readonly chunkKeyEncoding?: "default" | "v2" | undefined;
}

/** What `dtype` may be; names give typed results. */
export type DataTypeOption = DataTypeName | DataType | Json;

/**
 * Creates an array (with `shape` and `dtype`) or a group, and the groups above it that are missing.
 * @throws AlreadyExistsError without `overwrite`, InvalidArgumentError, InvalidMetadataError, UnknownCodecError,
 *   UnsupportedError when the store cannot be written, StoreError
 */
export function create<S extends WritableStore, const D extends DataTypeOption>(
  location: Location<S> | S,
  options: CreateArrayOptions<D>,
): Promise<ZarrArray<D, S>>;
export function create<S extends WritableStore>(
  location: Location<S> | S,
  options?: CreateGroupOptions,
): Promise<Group<S>>;
export async function create(
  where: Location | Store,
  options: CreateArrayOptions<DataTypeOption> | CreateGroupOptions = {},
): Promise<ZarrArray<unknown> | Group> {
  const location = toLocation(where);
  const { store, path } = location;
  if (!isWritable(store)) {
    throw new UnsupportedError(`${describeStore(store)} cannot be written: it has no set method`, { path });
  }
  const writable = new Location(store, path);
  if (options.shape === undefined) {
    const metadata = groupMetadata(options);
    await writeNewNode(writable, metadata, options);
    return new Group(store, path, metadata);
  }
  const metadata = await arrayMetadata(options);
  const array = new ZarrArray<unknown>(store, path, metadata);
  // A codec that is unknown or refuses its configuration is found here, before anything is written.
  await array.prepare();
  await writeNewNode(writable, metadata, options);
  return array;
}

function groupMetadata({ attributes = {}, zarrFormat = 3 }: CreateNodeOptions): GroupMetadata {
  return { nodeType: "group", zarrFormat, attributes, extra: {} };
}

async function arrayMetadata(options: CreateArrayOptions<DataTypeOption>): Promise<ArrayMetadata> {
  const { shape, zarrFormat = 3, attributes = {} } = options;
  checkLengths(shape, 0, shape.length, "shape");
  const { dataType: given, endian: stated } = await withAllDataTypes(() => resolveDataType(options.dtype));
  // A v2 struct may have a byte order for each field; elsewhere there is one for all.
  const dataType = zarrFormat === 2 ? given : (given.uniform ?? given);
  const { chunkShape, innerShape } = chunkLayout(options, dataType.itemSize);
  const names = options.dimensionNames;
  if (names !== undefined && names.length !== shape.length) {
    throw new InvalidArgumentError(`dimensionNames: expected ${shape.length} names, got ${names.length}`);
  }
  const endian = options.endian ?? stated ?? "little";
  const fill = options.fillValue;
  return {
    nodeType: "array",
    zarrFormat,
    shape: [...shape],
    dataType,
    chunkGrid: { name: "regular", chunkShape: [...chunkShape] },
    chunkKeyEncoding: keyEncoding(options),
    codecs: await codecList({ ...options, rank: shape.length, innerShape }, dataType, endian),
    endian: zarrFormat === 2 && dataType.needsEndian ? endian : undefined,
    fillValue:
      fill === undefined
        ? dataType.defaultScalar
        : fill === null
          ? nullFill(zarrFormat, dataType)
          : dataType.cast(fill),
    attributes,
    dimensionNames: names,
    extra: {},
  };
}

/** Shapes of a stored chunk and, when it is a shard, of the inner chunks. */
function chunkLayout(
  { shape, chunkShape = "auto", shards }: CreateArrayOptions<DataTypeOption>,
  itemSize: number,
): { readonly chunkShape: readonly number[]; readonly innerShape: readonly number[] | undefined } {
  const chunk =
    chunkShape === "auto" ? automaticChunkShape(shape, itemSize, shards !== undefined) : [...chunkShape];
  checkLengths(chunk, 1, shape.length, "chunkShape");
  if (shards === undefined) return { chunkShape: chunk, innerShape: undefined };
  const shard = shards === "auto" ? automaticShardShape(shape, chunk, itemSize) : [...shards];
  checkLengths(shard, 1, shape.length, "shards");
  if (shard.some((length, d) => length % (chunk[d] ?? 1) !== 0)) {
    throw new InvalidArgumentError(
      `shards: expected multiples of the chunk shape [${chunk.join(", ")}], got [${shard.join(", ")}]`,
    );
  }
  return { chunkShape: shard, innerShape: chunk };
}

/** v2 may leave the fill value undefined; v3 may not, and takes the data type's zero, as zarr-python does. */
function nullFill(zarrFormat: 2 | 3, dataType: DataType): unknown {
  return zarrFormat === 2 ? undefined : dataType.defaultScalar;
}

function keyEncoding(options: CreateArrayOptions<DataTypeOption>): ArrayMetadata["chunkKeyEncoding"] {
  const name = options.zarrFormat === 2 ? "v2" : (options.chunkKeyEncoding ?? "default");
  return { name, separator: options.chunkSeparator ?? (name === "v2" ? "." : "/") };
}

function checkLengths(lengths: readonly number[], minimum: number, rank: number, name: string): void {
  const valid =
    lengths.length === rank && lengths.every((length) => Number.isSafeInteger(length) && length >= minimum);
  const count = lengths.reduce((product, length) => product * length, 1);
  if (valid && Number.isSafeInteger(count)) return;
  throw new InvalidArgumentError(
    `${name}: expected ${rank} integers of at least ${minimum} with a product below 2^53, got [${lengths.join(", ")}]`,
  );
}
