/** Finds what describes the grid of an array: attributes of the array and its group, or arrays beside it. */
import { isJsonObject, Member, openIfThere } from "../../extend.js";
import {
  type DataTypeName,
  type Group,
  InvalidMetadataError,
  type Node,
  NotFoundError,
  type Store,
  type Array as ZarrArray,
} from "../../index.js";
import { type DescribedGrid, ofCoordinate, ofDggs, ofGridMapping } from "./documents.js";

/** A grid and the array of the indices of its cells; undefined if the data set has all cells of the level. */
export interface FoundGrid {
  readonly grid: DescribedGrid;
  readonly cells: ZarrArray<DataTypeName> | undefined;
}

/** Where grid mappings and indices are if no attribute names them. */
const MAPPINGS = ["crs", "healpix"];
const COORDINATES = ["cell_ids", "healpix_index", "cell", "cells"];

/**
 * @throws InvalidMetadataError for documents that are malformed, and if none describes a grid; NotFoundError
 * for indices that are named and missing; UnsupportedError for another grid
 */
export async function findGrid<S extends Store>(
  array: ZarrArray<DataTypeName, S>,
  group: Group<S>,
  signal: AbortSignal | undefined,
): Promise<FoundGrid> {
  const opened = new Map<string, Promise<ZarrArray<DataTypeName> | undefined>>();
  const besides = (name: string): Promise<ZarrArray<DataTypeName> | undefined> => {
    const known = opened.get(name) ?? openIfThere(group.resolve(name), { signal }).then(arrayOf);
    opened.set(name, known);
    return known;
  };
  const dggs = dggsOf(array, group);
  if (dggs !== undefined) {
    const { coordinate } = dggs;
    if (coordinate === undefined) return { grid: dggs, cells: undefined };
    const cells = await besides(coordinate);
    if (cells !== undefined) return { grid: dggs, cells };
    throw new NotFoundError(`no array ${coordinate}, which the attribute dggs names`, { path: group.path });
  }
  const attributes = attributesOf(array);
  const names = [
    ...wordsOf(attributes.get("coordinates")),
    ...wordsOf(attributesOf(group).get("coordinates")),
  ];
  const dimensions = array.metadata.dimensionNames?.filter((name) => name !== null) ?? [];
  const coordinates = await all([...names, ...dimensions, ...COORDINATES], besides);
  const named = wordsOf(attributes.get("grid_mapping")).map((word) => word.replace(/:$/, ""));
  const mappings = await all([...named, ...MAPPINGS], besides);
  for (const mapping of mappings) {
    const grid = ofGridMapping(attributesOf(mapping));
    if (grid === undefined) continue;
    const isIndex = (each: ZarrArray<DataTypeName>) => each.attrs.standard_name === "healpix_index";
    return { grid, cells: coordinates.find(isIndex) ?? coordinates.find((each) => isIndexOf(each, array)) };
  }
  for (const cells of coordinates) {
    const grid = ofCoordinate(attributesOf(cells));
    if (grid !== undefined) return { grid, cells };
  }
  throw new InvalidMetadataError(
    "expected a HEALPix grid: the attribute dggs, a grid mapping healpix, or a coordinate with grid_name healpix",
    { path: array.path },
  );
}

/** Before CF 1.13 the indices had no standard name. */
function isIndexOf(cells: ZarrArray<DataTypeName>, { metadata }: ZarrArray<DataTypeName>): boolean {
  const name = cells.path.slice(cells.path.lastIndexOf("/") + 1);
  const [dimension] = cells.metadata.dimensionNames ?? [];
  return (
    COORDINATES.includes(name) &&
    cells.shape.length === 1 &&
    metadata.dimensionNames?.includes(dimension ?? name) === true
  );
}

/** That of the array stands for that of its group, which is for all arrays with the dimension of cells. */
function dggsOf(array: ZarrArray<DataTypeName>, group: Group): DescribedGrid | undefined {
  for (const node of [array, group]) {
    const dggs = attributesOf(node).get("dggs");
    if (isJsonObject(dggs.json)) return ofDggs(dggs);
    if (!dggs.isNull) throw dggs.invalid("an object");
  }
  return undefined;
}

function attributesOf(node: Node): Member {
  return new Member(node.metadata.attributes, { path: node.path }, "attributes");
}

function arrayOf(node: Node | undefined): ZarrArray<DataTypeName> | undefined {
  return node?.kind === "array" ? node : undefined;
}

function wordsOf({ json }: Member): string[] {
  // Names as CF lists them; what could lead out of the group is the name of no array in it.
  const words = typeof json === "string" ? json.split(/\s+/) : [];
  return words.filter((word) => word !== "" && !word.includes("/") && !/^\.*$/.test(word));
}

/** The arrays that are there, in this order. */
async function all(
  names: readonly string[],
  open: (name: string) => Promise<ZarrArray<DataTypeName> | undefined>,
): Promise<ZarrArray<DataTypeName>[]> {
  const found = await Promise.all([...new Set(names)].map(open));
  return found.filter((each) => each !== undefined);
}
