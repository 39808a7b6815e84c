/** `openVirtual`. */
import {
  at,
  checkNames,
  InvalidArgumentError,
  type NamesOf,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import { concatenated } from "./concat/concat.js";
import { indexed, isIndex } from "./indexed.js";
import { openFile } from "./open-file.js";
import { fileOf, namesIndex, openAddress, type VirtualSource } from "./sources.js";
import { VirtualStore } from "./virtual-store.js";

/** Options of `openVirtual`. */
export interface OpenVirtualOptions {
  /** The dimension along which several files are one data set, in the order in which they are given. */
  readonly concat?: string | undefined;
  /**
   * Called with each attribute of a later file that is not as in the first one, whose attributes the joined
   * arrays and groups have: when they are opened, or listed by `writeReferences`. What makes elements mean
   * something else, such as other units, is an error.
   */
  readonly onDifference?: ((difference: string) => void) | undefined;
  /**
   * An index that lies beside a GRIB file and says where its messages are, so that they are not looked for
   * one after the other: `.idx` of NOAA, `.index` of ECMWF, or references of kerchunk.
   */
  readonly index?: VirtualSource | undefined;
  /** Aborts the requests; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<OpenVirtualOptions> = {
  concat: true,
  onDifference: "function",
  index: true,
  signal: true,
};
/** Files that are opened at the same time. */
const AT_ONCE = 16;

/**
 * Opens files of HDF5, NetCDF-4, NetCDF-3, TIFF or GRIB as a store, which `open` and `openDataset` take. What
 * a file is is decided by its first bytes, not by its name. Nothing is copied: the chunks are ranges of the
 * file, and of a local file of 2 GB only those are read that are asked for.
 * @param source an address, a Blob or File, a value of a store, anything with a size that reads ranges, or an
 * index that `writeReferences` wrote; or a list of these, which the option `concat` joins
 * @example
 * ```ts
 * const store = await openVirtual(["2026-03-01.nc", "2026-03-02.nc"], { concat: "time" });
 * const { variables } = await openDataset(store);
 * ```
 * @throws InvalidArgumentError; StoreError for a missing or damaged file, and for files that cannot be
 * joined; UnsupportedError for another format
 */
export async function openVirtual(
  source: VirtualSource | readonly VirtualSource[],
  options: OpenVirtualOptions = {},
): Promise<VirtualStore> {
  checkNames(options, "openVirtual", OPTIONS);
  const { concat, onDifference } = options;
  if (!isList(source)) {
    if (concat === undefined) return openOne(source, options);
    throw new InvalidArgumentError("concat: expected a list of files, got one file");
  }
  if (source.length === 0)
    throw new InvalidArgumentError("openVirtual: expected at least one file, got none");
  if (typeof concat !== "string" || concat === "")
    throw new InvalidArgumentError(`concat: expected the name of a dimension for ${source.length} files`);
  const stores: VirtualStore[] = [];
  for (let i = 0; i < source.length; i += AT_ONCE)
    stores.push(...(await Promise.all(source.slice(i, i + AT_ONCE).map((each) => openOne(each, options)))));
  const { file, kind } = at(stores, 0);
  return new VirtualStore(file, concatenated(stores, concat, onDifference), kind);
}

function isList(source: VirtualSource | readonly VirtualSource[]): source is readonly VirtualSource[] {
  return Array.isArray(source);
}

async function openOne(source: VirtualSource, { index, signal }: OpenVirtualOptions): Promise<VirtualStore> {
  const file = namesIndex(source) ? undefined : fileOf(source);
  if (file !== undefined) {
    const listed = index === undefined ? undefined : await wholeOf(index, signal);
    return openFile(file, { index: listed, signal });
  }
  if (index !== undefined)
    throw new UnsupportedError("index: expected a file that is given as an http(s) URL, a Blob or a source");
  if (isIndex(source)) return indexed(source, "index");
  const opened = await openAddress(String(source));
  if (isIndex(opened)) return indexed(opened, String(source));
  // Not `instanceof`: an address is opened by the package's own copy of the class.
  if (isVirtual(opened)) return opened;
  throw new UnsupportedError("internal error: openStore did not open a file");
}

/** Bytes of an index: a line for each of a million messages. */
const LONGEST_INDEX = 256 << 20;

async function wholeOf(source: VirtualSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const file = namesIndex(source) ? undefined : fileOf(source);
  if (file === undefined)
    throw new InvalidArgumentError(
      "index: expected an http(s) URL, a Blob, { store, key } or { size, read }",
    );
  const found = await file.store.get(file.key, { signal, maximumBytes: LONGEST_INDEX });
  if (found === undefined) throw new StoreError(`no such file: ${file.name}`);
  return found;
}

function isVirtual(store: unknown): store is VirtualStore {
  return typeof store === "object" && store !== null && "bytesOf" in store && "rootGroup" in store;
}
