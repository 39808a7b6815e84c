/** A base face as an array of rows and columns, whose chunks are read from the array of cells. */
import { isNumberType, itemAt } from "../../extend.js";
import { type DataTypeName, defineArrayExtension, UnsupportedError, Array as ZarrArray } from "../../index.js";
import { ChunkCache } from "../../main/caches.js";
import { checkFace } from "./cell.js";
import type { CellPlaces } from "./places.js";
import { type CellSource, type Range, readBlock } from "./read-block.js";

/** Cells along the sides of a chunk: small chunks make many requests, large ones are waited for. */
const LEAST_SIDE = 64;
const MOST_SIDE = 1024;
/** Faces of finer levels have more cells than 2^53. */
const MOST_LEVEL = 24;
/** For chunks of cells, each of which may have cells of several chunks of a face. */
const CACHE_BYTES = 64 << 20;

/**
 * Makes the array of one face of an array of cells, with y and x in place of the dimension `axis`.
 * @throws InvalidArgumentError for a face that is none; UnsupportedError for elements that are not numbers,
 * chunks of different shapes, and levels above 24
 */
export function faceArray(
  array: ZarrArray<DataTypeName>,
  axis: number,
  level: number,
  places: CellPlaces,
  face: number,
): ZarrArray<DataTypeName> {
  checkFace(face);
  const { path, metadata, shape, chunks } = array;
  const { name: type } = metadata.dataType;
  if (!isNumberType(type))
    throw new UnsupportedError(`expected elements that are numbers, got ${type}`, { path });
  if (level > MOST_LEVEL)
    throw new UnsupportedError(`expected a level up to ${MOST_LEVEL}, got ${level}`, { path });
  const sides = 2 ** level;
  const side = Math.min(sides, chunkSide(itemAt(chunks, axis)));
  const names = metadata.dimensionNames ?? shape.map(() => null);
  const plain = new ZarrArray<DataTypeName, Map<string, Uint8Array>>(new Map(), path, {
    ...metadata,
    shape: shape.toSpliced(axis, 1, sides, sides),
    chunkGrid: { name: "regular", chunkShape: chunks.toSpliced(axis, 1, side, side) },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    dimensionNames: names.toSpliced(axis, 1, "y", "x"),
  });
  const source: CellSource = {
    array: new ChunkCache({ maxBytes: CACHE_BYTES }).inFrontOf(array),
    axis,
    type,
  };
  const read = defineArrayExtension(() => ({
    getChunk(coordinates, options = {}) {
      const ranges = coordinates.map((coordinate, d): Range => {
        const length = itemAt(plain.chunks, d);
        return [coordinate * length, Math.min((coordinate + 1) * length, itemAt(plain.shape, d))];
      });
      const [y, x] = [itemAt(ranges, axis), itemAt(ranges, axis + 1)];
      return readBlock(source, ranges, places.placesIn({ face, y, x }), options);
    },
  }));
  return read(plain);
}

/** The largest power of two whose square a chunk of cells has. */
function chunkSide(cells: number): number {
  const side = 2 ** Math.floor(Math.log2(cells) / 2);
  return Math.min(Math.max(side, LEAST_SIDE), MOST_SIDE);
}
