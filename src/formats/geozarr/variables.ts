/** Which variables of a group can be drawn on a map. */
import { checkNames, STORE_OPTIONS, untilAborted } from "../../extend.js";
import {
  type Location,
  open,
  type Store,
  type StoreOptions,
  UnsupportedError,
  type Array as ZarrArray,
  type ZarrError,
} from "../../index.js";
import { coordinateNames } from "./axes.js";
import { memberOf } from "./facts.js";
import { levelsAt, variableFolders } from "./levels.js";
import { factsOf, Nodes } from "./nodes.js";
import { problemOf } from "./read-raster.js";
import { locationOf } from "./where.js";

/** A variable of a group. */
export interface RasterVariable {
  /** The option `variable` of `openGeoZarr`; undefined if the levels of the group are arrays. */
  readonly variable: string | undefined;
  /** The array, from the first level that has it. */
  readonly array: ZarrArray;
  /**
   * Why it cannot be drawn: its grid is curvilinear or unstructured, it has no place, or its elements are not
   * numbers. Undefined if it can.
   */
  readonly problem: ZarrError | undefined;
}

/**
 * Lists the variables of a group, without its coordinates, and tells which have rows and columns on Earth.
 * Reads metadata only: coordinates that are read later may still be invalid.
 * @throws UnsupportedError for a store that has neither a listing nor consolidated metadata, and what `open`
 * throws
 */
export async function rasterVariables(
  where: Location | Store,
  options: StoreOptions = {},
): Promise<RasterVariable[]> {
  checkNames(options, "rasterVariables", STORE_OPTIONS);
  const { signal } = options;
  return untilAborted(signal, async () => {
    const group = await open(await locationOf(where, { signal }), { kind: "group", signal });
    const nodes = new Nodes<Store>(group, signal);
    const start = factsOf(group);
    const folders = await nodes.hold(variableFolders(start));
    const found = new Map<string | undefined, ZarrArray>();
    for (const folder of folders) {
      const arrays = (await nodes.list(folder.path)).filter((node) => node.kind === "array");
      for (const array of withoutCoordinates(arrays)) {
        const { name } = factsOf(array);
        if (!found.has(name)) found.set(name, array);
      }
    }
    if (folders.length === 0) {
      const [first] = await nodes.hold(levelsAt(start, undefined));
      const array = first && nodes.arrayAt(first.node.path);
      if (array !== undefined) found.set(undefined, array);
    }
    return Promise.all(
      Array.from(found, async ([variable, array]) => {
        const problem = noNumbers(array) ?? (await nodes.hold(problemOf(start, variable)));
        return { variable, array, problem };
      }),
    );
  });
}

/** Arrays that are not coordinates, bounds or grid mappings of others. */
function withoutCoordinates(arrays: readonly ZarrArray[]): ZarrArray[] {
  const others = new Set<string>();
  for (const array of arrays) {
    const facts = factsOf(array);
    for (const name of facts.array?.dimensions ?? []) others.add(name);
    for (const name of coordinateNames(memberOf(facts))) others.add(name);
    for (const member of ["bounds", "grid_mapping", "climatology"]) {
      const { json } = memberOf(facts).get(member);
      if (typeof json === "string") for (const word of json.split(/[:\s]+/)) others.add(word);
    }
  }
  return arrays.filter((array) => array.shape.length > 0 && !others.has(factsOf(array).name));
}

function noNumbers(array: ZarrArray): UnsupportedError | undefined {
  const { path, dtype } = array;
  if (array.is("number-like") || array.is("bigint-like") || array.is("boolean")) return undefined;
  return new UnsupportedError(`expected numbers, got elements of data type ${dtype}`, { path });
}
