/** The first picture of a page: which arrays there are, and what the first chunk of one takes. */

import { CheckedStore, isJsonArray, isJsonObject } from "../../extend.js";
import {
  type Group,
  isZarrError,
  Location,
  members,
  type Node,
  open,
  type Store,
  withMaybeConsolidatedMetadata,
  type Array as ZarrArray,
} from "../../index.js";
import { size } from "../text/words.js";
import { decodedBytes, indexBytes } from "./data.js";
import { advise, type Finding, ok } from "./finding.js";
import type { Meter } from "./meter.js";

/** Arrays to look at in a group. */
const MOST_ARRAYS = 100;

/** The arrays of a node. */
export interface Survey {
  readonly arrays: readonly ZarrArray[];
  /** The array of the first tile: the smallest level of an image, or the first array, if there is one. */
  readonly first: ZarrArray | undefined;
  readonly isImage: boolean;
}

/** @returns undefined for a group whose arrays cannot be known */
export async function survey(node: Node): Promise<Survey | undefined> {
  if (node.kind === "array") return { arrays: [node], first: node, isImage: false };
  if (hasLevels(node)) {
    const image = await openImage(node);
    if (image.kind === "image") {
      const arrays = image.levels.map(({ array }) => array);
      return { arrays, first: arrays.at(-1), isImage: true };
    }
  }
  const { store } = node;
  const known = new CheckedStore(store).canList ? store : await withMaybeConsolidatedMetadata(store);
  const arrays: ZarrArray[] = [];
  try {
    for await (const each of members(await open(new Location(known).resolve(node.path), { kind: "group" }))) {
      if (each.kind === "array") arrays.push(each);
      if (arrays.length === MOST_ARRAYS) break;
    }
  } catch (error) {
    if (isZarrError(error, "UnsupportedError") && arrays.length === 0 && !new CheckedStore(known).canList)
      return undefined;
    throw error;
  }
  // Coordinates are no pictures.
  return { arrays, first: arrays.find(({ shape }) => shape.length > 1) ?? arrays[0], isImage: false };
}

function hasLevels({ metadata: { attributes } }: Group): boolean {
  const { ome } = attributes;
  return isJsonArray(attributes.multiscales) || (isJsonObject(ome) && isJsonArray(ome.multiscales));
}

/** Chunks that decode to more are not read here. */
const MOST_BYTES = 256 * 1024 * 1024;
const LONG_TILE = 4 * 1024 * 1024;

export interface FirstTile {
  readonly findings: readonly Finding[];
  /** Bytes of the chunk as it is stored; undefined if it is not stored, or not read. */
  readonly encoded?: number;
}

/**
 * Opens the array of the first tile and reads its first chunk, as a page that knows no more than the address
 * does.
 * @param meter counts what `store` does
 * @param unit what it counts: "request" or "read"
 */
export async function readFirstTile(
  store: Store,
  meter: Meter,
  unit: string,
  path: string,
  { first, isImage }: Survey,
): Promise<FirstTile> {
  if (first === undefined) return { findings: [advise("first tile: no array", "pass PATH")] };
  const chunk = first.shape.map(() => 0);
  if (first.shape.includes(0)) return { findings: [ok(`first tile: ${first.path} has no elements`)] };
  if (decodedBytes(first) > MOST_BYTES)
    return {
      findings: [
        advise(
          `first tile: ${first.path} has chunks that are too large to read here`,
          "write smaller chunks",
        ),
      ],
    };
  const location = new Location(store);
  const array = isImage
    ? await firstOfImage(location.resolve(path))
    : await open(location.resolve(first.path), { kind: "array" });
  const before = meter.bytes;
  await array.getChunk(chunk);
  const read = meter.bytes - before;
  const cost = `${meter.requests} ${unit}${meter.requests === 1 ? "" : "s"}, ${size(meter.bytes)}`;
  const what = `first tile: ${cost} for the first chunk of ${first.path}`;
  if (read === 0) return { findings: [ok(`${what}, which is not stored: it has the fill value`)] };
  const encoded = read - indexBytes(first);
  const isKnown = encoded > 0 && (indexBytes(first) === 0 || encoded <= decodedBytes(first));
  const findings = [
    meter.bytes > LONG_TILE
      ? advise(
          what,
          "store smaller chunks, or smaller levels too (a multiscale): at 10 Mbit/s it takes seconds",
        )
      : ok(what),
  ];
  return isKnown ? { findings, encoded } : { findings };
}

async function firstOfImage(location: Location): Promise<ZarrArray> {
  const image = await openImage(location);
  const level = image.kind === "image" ? image.levels.at(-1) : undefined;
  if (level === undefined) throw new Error("the image has no levels");
  return level.array;
}

/**
 * Loads `wazarr/ome-zarr` when it is needed: as a static import, the package would have it in one file more.
 */
async function openImage(location: Location) {
  return (await import("../../formats/ome-zarr.js")).openOmeZarr(location);
}
