/** The objects of a file by their addresses, each read once. */
import { BoundedCache, type Json, type JsonObject } from "../../../core/for-stores.js";
import { attributeValue, type RawAttribute, readAttributes } from "./attributes.js";
import { GlobalHeap } from "./global-heap.js";
import type { Hdf5File } from "./hdf5-file.js";
import { MESSAGE } from "./header-blocks.js";
import { messageOf, type ObjectHeader, readObjectHeader } from "./object-header.js";
import { lazyOnce } from "./once.js";

const OBJECTS_KEPT = 1 << 16;

export interface Hdf5Object {
  readonly address: number;
  readonly header: ObjectHeader;
  /** A named data type is neither a group nor a dataset. */
  readonly kind: "group" | "dataset" | "data type";
  /** Reads the attributes once. */
  attributes(): Promise<readonly RawAttribute[]>;
}

export class Hdf5Objects {
  readonly file: Hdf5File;
  readonly heap: GlobalHeap;
  readonly #objects = new BoundedCache<number, Promise<Hdf5Object>>({ entries: OBJECTS_KEPT });

  constructor(file: Hdf5File) {
    this.file = file;
    this.heap = new GlobalHeap(file);
  }

  at(address: number): Promise<Hdf5Object> {
    const known = this.#objects.get(address);
    if (known !== undefined) return known;
    const read = this.#read(address);
    this.#objects.set(address, read);
    read.catch(() => this.#objects.delete(address));
    return read;
  }

  async #read(address: number): Promise<Hdf5Object> {
    const header = await readObjectHeader(this.file, address);
    const isDataset = messageOf(header, MESSAGE.dataspace) !== undefined;
    const isDataType = !isDataset && messageOf(header, MESSAGE.dataType) !== undefined;
    const attributes = lazyOnce(() => readAttributes(this.file, header));
    return { address, header, attributes, kind: isDataset ? "dataset" : isDataType ? "data type" : "group" };
  }
}

/** Attributes with which HDF5 and netCDF-4 keep dimensions: Zarr has names of dimensions for that. */
const HIDDEN = new Set([
  ...["CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"],
  ...["_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties"],
]);

/** The attributes of an object as JSON, without those that JSON cannot represent. */
export async function attributesOf({ heap }: Hdf5Objects, object: Hdf5Object): Promise<JsonObject> {
  const all = (await object.attributes()).filter(({ name }) => !HIDDEN.has(name));
  const found: [string, Json][] = [];
  for (const attribute of all) {
    const value = await attributeValue(heap, attribute);
    if (value !== undefined) found.push([attribute.name, value]);
  }
  return Object.fromEntries(found);
}

/** The value of an attribute that HDF5 or netCDF-4 keeps; undefined if there is none. */
export async function hiddenAttribute(
  { heap }: Hdf5Objects,
  object: Hdf5Object,
  name: string,
): Promise<Json | undefined> {
  const found = (await object.attributes()).find((attribute) => attribute.name === name);
  return found && attributeValue(heap, found);
}
