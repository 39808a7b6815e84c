/**
 * Names of dimensions: those of the scales that are attached to a dataset, or of the dimensions that netCDF-4
 * gave a coordinate variable.
 */
import { isJsonArray, type Json } from "../../../core/for-stores.js";
import type { Hdf5Object, Hdf5Objects } from "./objects.js";
import { hiddenAttribute } from "./objects.js";

/** The groups that a dataset is in, the nearest first, as far as its dimensions need them. */
export interface Scope {
  /** Names of links of the group by the address that they lead to. */
  namesByAddress(): Promise<ReadonlyMap<number, string>>;
  /** The address that a name in the group leads to, without reading the others. */
  addressOf(name: string): Promise<number | undefined>;
  readonly parent: Scope | undefined;
}

const PURE = "This is a netCDF dimension but not a netCDF variable";

/** Whether a dataset is only there to be a dimension of netCDF-4. */
export async function isPureDimension(objects: Hdf5Objects, object: Hdf5Object): Promise<boolean> {
  const name = await hiddenAttribute(objects, object, "NAME");
  return typeof name === "string" && name.startsWith(PURE) && (await isScale(objects, object));
}

async function isScale(objects: Hdf5Objects, object: Hdf5Object): Promise<boolean> {
  return (await hiddenAttribute(objects, object, "CLASS")) === "DIMENSION_SCALE";
}

/** @param name of the dataset @returns undefined if no dimension has a name */
export async function dimensionNames(
  objects: Hdf5Objects,
  object: Hdf5Object,
  name: string,
  rank: number,
  scope: Scope,
): Promise<readonly (string | null)[] | undefined> {
  const addresses = await attachedScales(objects, object);
  if (addresses !== undefined) {
    const names = await Promise.all(
      Array.from({ length: rank }, (_, d) => nameOf(objects, addresses[d], scope)),
    );
    return names.some((each) => each !== null) ? names : undefined;
  }
  if (!(await isScale(objects, object))) return undefined;
  if (rank === 1) return [name];
  const ids = await hiddenAttribute(objects, object, "_Netcdf4Coordinates");
  if (!isJsonArray(ids) || ids.length !== rank) return undefined;
  return namesById(objects, ids, scope);
}

/** Addresses of the first scale of each dimension; undefined where there is none, or none at all. */
async function attachedScales(
  { file, heap }: Hdf5Objects,
  object: Hdf5Object,
): Promise<readonly (number | undefined)[] | undefined> {
  const list = (await object.attributes()).find(({ name }) => name === "DIMENSION_LIST");
  if (list === undefined || list.type.class !== "variable" || list.shape === undefined) return undefined;
  const { size, base } = list.type;
  const count = list.bytes.length / size;
  return Promise.all(
    Array.from({ length: count }, async (_, d) => {
      const references = await heap.read(list.bytes.subarray(d * size, (d + 1) * size), base.size);
      if (references.length < file.sizes.offset) return undefined;
      return file.cursor(references, "reference to a dimension scale").address();
    }),
  );
}

async function nameOf(
  objects: Hdf5Objects,
  address: number | undefined,
  scope: Scope,
): Promise<string | null> {
  if (address === undefined) return null;
  const scaleName = await hiddenAttribute(objects, await objects.at(address), "NAME");
  const isName = typeof scaleName === "string" && scaleName !== "" && !scaleName.startsWith(PURE);
  // A scale mostly has the name of its link, which saves reading all links.
  if (isName)
    for (let each: Scope | undefined = scope; each !== undefined; each = each.parent)
      if ((await each.addressOf(scaleName)) === address) return scaleName;
  for (let each: Scope | undefined = scope; each !== undefined; each = each.parent) {
    const name = (await each.namesByAddress()).get(address);
    if (name !== undefined) return name;
  }
  return isName ? scaleName : null;
}

/** netCDF-4 numbers its dimensions, and a coordinate variable of several has their numbers. */
async function namesById(
  objects: Hdf5Objects,
  ids: readonly Json[],
  scope: Scope,
): Promise<readonly (string | null)[]> {
  const names = new Map<Json, string>();
  for (let each: Scope | undefined = scope; each !== undefined; each = each.parent)
    for (const [address, name] of await each.namesByAddress()) {
      const object = await objects.at(address);
      if (object.kind !== "dataset") continue;
      const id = await hiddenAttribute(objects, object, "_Netcdf4Dimid");
      if (id !== undefined && !names.has(id)) names.set(id, name);
    }
  return ids.map((id) => names.get(id) ?? null);
}
