/** A dataset as an array. */
import {
  at,
  gridCoordinates,
  type JsonObject,
  product,
  StoreError,
  type StoreOptions,
  UnsupportedError,
} from "../../../core/for-stores.js";
import { contiguousChunk, gridOf, splitShape } from "../contiguous.js";
import { arrayDocument, bytesCodec } from "../documents.js";
import { once } from "../once.js";
import { oneRange, type VirtualArray, type VirtualChunk } from "../port.js";
import { type EnumNames, type Hdf5Type, readDataType } from "./data-type.js";
import { dimensionNames, type Scope } from "./dimensions.js";
import { isBoolean, numberOf } from "./elements.js";
import { fillAsJson } from "./fill.js";
import { type CodecJson, codecsOf, decodeFilters, encodeFilters } from "./filters.js";
import { MESSAGE } from "./header-blocks.js";
import { btree1Index } from "./indexes/btree1-index.js";
import { btree2Index } from "./indexes/btree2-index.js";
import type { ChunkFinder, IndexedDataset } from "./indexes/chunk-index.js";
import { extensibleArrayIndex } from "./indexes/extensible-array.js";
import { fixedArrayIndex } from "./indexes/fixed-array.js";
import { finderBy, implicitIndex } from "./indexes/linear-index.js";
import { type Layout, readDataspace, readFillValue, readFilters, readLayout } from "./messages.js";
import { messageOf } from "./object-header.js";
import { attributesOf, type Hdf5Object, type Hdf5Objects } from "./objects.js";
import { textChunk } from "./text.js";
import { takeRuns, type ZarrType, zarrTypeOf } from "./zarr-type.js";

/** What the header of a dataset says. */
interface Described {
  readonly type: Hdf5Type;
  readonly zarr: ZarrType;
  /** Without the dimensions of the elements themselves. */
  readonly shape: readonly number[];
  readonly maximum: readonly (number | undefined)[];
  readonly chunk: readonly number[];
  readonly layout: Layout;
  /** In the order of writing. */
  readonly codecs: readonly CodecJson[];
  /** Bytes of an element with all of its own dimensions, and of a chunk before the filters. */
  readonly itemSize: number;
  readonly byteLength: number;
  readonly finder: ChunkFinder | undefined;
}

/** Longest chunk of a file that is read, in bytes: HDF5 has none of 4 GiB or more. */
const LONGEST_CHUNK = 2 ** 32;

/**
 * @param path of the dataset, for errors
 * @param scope the groups that it is in, which have its dimensions
 */
export function datasetArray(
  objects: Hdf5Objects,
  object: Hdf5Object,
  path: string,
  scope: Scope,
): VirtualArray {
  const { file } = objects;
  const described = once(async () => describe(objects, object, path));
  const document = once(() => describeArray(objects, object, path, scope, described));

  return {
    kind: "array",
    document,

    async chunk(chunkCoordinates) {
      const dataset = await described();
      const { shape, chunk, zarr, layout, itemSize, finder } = dataset;
      const inner = chunkCoordinates.length - shape.length;
      if (inner !== zarr.inner.length || chunkCoordinates.slice(shape.length).some((each) => each !== 0))
        return undefined;
      const coordinates = chunkCoordinates.slice(0, shape.length);
      const grid = gridOf(shape, chunk);
      if (coordinates.some((each, d) => each >= at(grid, d))) return undefined;
      const found =
        finder === undefined
          ? plainChunk(dataset, coordinates)
          : await indexedChunk(dataset, finder, coordinates);
      if (found === undefined || zarr.rewrite === undefined) return found;
      const { rewrite } = zarr;
      const { recode } = found;
      return {
        parts: found.parts,
        async recode(bytes: Uint8Array, options?: StoreOptions) {
          const elements = recode === undefined ? bytes : await recode(bytes, options);
          if (rewrite === "text") return textChunk(objects.heap, elements, zarr.itemSize);
          return takeRuns(elements, zarr.itemSize, rewrite);
        },
      };

      function plainChunk(of: Described, where: readonly number[]): VirtualChunk | undefined {
        if (layout.kind === "compact") return { parts: [layout.bytes] };
        if (layout.kind !== "contiguous" || layout.address === undefined) return undefined;
        return contiguousChunk(shape, of.chunk, itemSize, file.offsetOf(layout.address), where);
      }
    },

    async *chunks() {
      const { shape, chunk, zarr, finder, layout } = await described();
      const grid = gridOf(shape, chunk);
      const inner = zarr.inner.map(() => 0);
      if (finder === undefined) {
        const isStored =
          layout.kind === "compact" || (layout.kind === "contiguous" && layout.address !== undefined);
        if (isStored) for (const each of gridCoordinates(grid)) yield [...each, ...inner];
        return;
      }
      for await (const each of finder.all())
        if (each.every((value, d) => value < at(grid, d))) yield [...each, ...inner];
    },
  };

  async function indexedChunk(
    dataset: Described,
    finder: ChunkFinder,
    coordinates: readonly number[],
  ): Promise<VirtualChunk | undefined> {
    const { layout, shape, chunk, codecs, byteLength, zarr } = dataset;
    const found = await finder.find(coordinates);
    if (found === undefined) return undefined;
    const isEdge = coordinates.some((each, d) => (each + 1) * at(chunk, d) > at(shape, d));
    const all = 2 ** codecs.length - 1;
    const isPlain = layout.kind === "chunked" && layout.plainEdges && isEdge;
    const mask = (isPlain ? all : found.mask) & all;
    const length = isPlain || mask === all ? byteLength : found.length;
    const place = oneRange(file.offsetOf(found.address), length);
    if (zarr.rewrite !== undefined)
      return { ...place, recode: (bytes) => decodeFilters(codecs, mask, bytes) };
    if (mask === 0) return place;
    return {
      ...place,
      recode: async (bytes) => encodeFilters(codecs, await decodeFilters(codecs, mask, bytes)),
    };
  }
}

function describe(objects: Hdf5Objects, { header }: Hdf5Object, path: string): Described {
  const { file } = objects;
  const message = (type: number, what: string) => {
    const bytes = messageOf(header, type);
    if (bytes !== undefined) return file.cursor(bytes, `${what} of ${path}`);
    throw new StoreError(`HDF5, ${path}: expected a ${what}`);
  };
  const type = readDataType(message(MESSAGE.dataType, "data type"));
  const space = readDataspace(message(MESSAGE.dataspace, "dataspace"));
  const layout = readLayout(message(MESSAGE.layout, "layout"));
  if (layout.kind === "virtual")
    throw new UnsupportedError("HDF5: virtual datasets are not read; open the files that it is made of", {
      path,
    });
  if (messageOf(header, MESSAGE.externalFiles) !== undefined)
    throw new UnsupportedError("HDF5: datasets in external files are not read", { path });
  const zarr = zarrTypeOf(type, path);
  // A dataset without any elements is an array of length 0.
  const { shape = [0], maximum } = space;
  const itemSize = type.size;
  const isChunked = layout.kind === "chunked";
  if (isChunked && layout.chunk.length !== shape.length)
    throw new StoreError(
      `HDF5, ${path}: expected chunks of ${shape.length} dimensions, got ${layout.chunk.length}`,
    );
  // What is in the header is one chunk, and so is what is short.
  const whole = shape.map((extent) => Math.max(1, extent));
  const split = layout.kind === "compact" ? whole : splitShape(shape, itemSize);
  const chunk = isChunked ? layout.chunk : split;
  const byteLength = product(chunk, itemSize);
  if (byteLength > LONGEST_CHUNK)
    throw new StoreError(`HDF5, ${path}: expected chunks of at most 4 GiB, got ${byteLength} bytes`);
  if (layout.kind !== "chunked" && product(shape, itemSize) > storedLength(layout))
    throw new StoreError(
      `HDF5, ${path}: expected ${product(shape, itemSize)} bytes, got ${storedLength(layout)}`,
    );
  const pipeline = messageOf(header, MESSAGE.filters);
  const filters = pipeline && isChunked ? readFilters(file.cursor(pipeline, `filters of ${path}`)) : [];
  const codecs = codecsOf(filters, { itemSize, byteLength }, path);
  const finder =
    layout.kind === "chunked"
      ? finderOf(layout, {
          file,
          address: layout.address ?? 0,
          chunk,
          grid: gridOf(shape, chunk),
          maximumGrid: shape.map((extent, d) => {
            const most = d < maximum.length ? maximum[d] : extent;
            return most === undefined ? null : Math.ceil(most / at(chunk, d));
          }),
          byteLength,
          hasFilters: codecs.length > 0,
        })
      : undefined;
  return { type, zarr, shape, maximum, chunk, layout, codecs, itemSize, byteLength, finder };
}

/** Bytes that the layout has; any number if it has not been written. */
function storedLength(layout: Exclude<Layout, { readonly kind: "chunked" }>): number {
  if (layout.kind === "compact") return layout.bytes.length;
  return layout.kind === "contiguous" && layout.address !== undefined
    ? layout.length
    : Number.POSITIVE_INFINITY;
}

function finderOf(
  layout: Extract<Layout, { readonly kind: "chunked" }>,
  dataset: IndexedDataset,
): ChunkFinder {
  // Nothing has been written yet.
  if (layout.address === undefined) return finderBy(dataset, async () => undefined);
  const { index } = layout;
  switch (index.kind) {
    case "single": {
      const { length = dataset.byteLength, mask } = index;
      return finderBy(dataset, async () => ({ address: dataset.address, length, mask }));
    }
    case "implicit":
      return implicitIndex(dataset);
    case "fixed array":
      return fixedArrayIndex(dataset);
    case "extensible array":
      return extensibleArrayIndex(dataset);
    case "B-tree 1":
      return btree1Index(dataset);
    case "B-tree 2":
      return btree2Index(dataset);
  }
}

async function describeArray(
  objects: Hdf5Objects,
  object: Hdf5Object,
  path: string,
  scope: Scope,
  described: () => Promise<Described>,
): Promise<JsonObject> {
  const { type, zarr, shape, chunk, codecs } = await described();
  const name = path.slice(path.lastIndexOf("/") + 1);
  const names = await dimensionNames(objects, object, name, shape.length, scope);
  const serializer = zarr.rewrite === "text" ? { name: "vlen-utf8" } : bytesCodec(zarr.endian);
  const attributes = await attributesOf(objects, object);
  return arrayDocument({
    shape: [...shape, ...zarr.inner],
    chunk: [...chunk, ...zarr.inner],
    dataType: zarr.dataType,
    fillValue: await fillAsJson(objects.heap, type, readFillValue(objects.file, object.header)),
    codecs: [serializer, ...(zarr.rewrite === undefined ? codecs : [])],
    dimensionNames: names && [...names, ...zarr.inner.map(() => null)],
    attributes: { ...flagsOf(type), ...attributes },
  });
}

/** What CF calls the names of an enumeration, which the data type of Zarr does not have. */
function flagsOf(type: Hdf5Type): JsonObject {
  if (type.class === "array") return flagsOf(type.base);
  if (type.class !== "enumeration" || isBoolean(type) || type.base.class !== "integer") return {};
  const { base } = type;
  const names: EnumNames = type.names;
  return {
    flag_values: names.map(([, value]) => numberOf(base, value)),
    flag_meanings: names.map(([name]) => name.replaceAll(/\s+/g, "_")).join(" "),
  };
}
