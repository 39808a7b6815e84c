/** wazarr as a writer of cases, and stores as JSON carries them. */

import { setKernels } from "../../src/extend.js";
import { type CreateArrayOptions, create, get, open, set, slice } from "../../src/index.js";
import { type DataTypeDefinition, loadExtraDataTypes, parseDataType } from "../../src/main/data-types.js";
import type { Case } from "./cases.js";
import {
  base64FromBytes,
  bytesFromBase64,
  bytesFromHex,
  cOrderStride,
  itemSizeOf,
  scalarFromHex,
} from "./elements.js";

// float16 comes with them.
await loadExtraDataTypes();

type MapStore = Map<string, Uint8Array>;

function createOptions(each: Case): CreateArrayOptions<DataTypeDefinition> {
  const shared = {
    shape: each.shape,
    chunkShape: each.chunk_shape,
    dtype: parseDataType(each.data_type),
    fillValue: scalarFromHex(each.data_type, each.fill_value),
    endian: each.endian,
    chunkSeparator: each.separator,
  };
  if (each.zarr_format === 2) {
    const [id] = each.codecs;
    return {
      ...shared,
      zarrFormat: 2,
      order: each.order === "F" ? "F" : "C",
      codecs: { compressor: id === undefined ? null : { id, level: 1 } },
    };
  }
  const transpose =
    typeof each.order === "object" && each.order !== null
      ? [{ name: "transpose", configuration: { order: each.order } }]
      : [];
  const others = each.codecs.map((name) =>
    name === "gzip" ? { name, configuration: { level: 1 } } : { name },
  );
  return { ...shared, codecs: [...transpose, ...others], chunkKeyEncoding: each.chunk_key_encoding };
}

async function writeCaseOnce(each: Case): Promise<MapStore> {
  const store: MapStore = new Map();
  const array = await create(store, createOptions(each));
  const [region] = each.written;
  const stride = cOrderStride(each.shape);
  const first = region.reduce((offset, [start], axis) => offset + start * (stride[axis] ?? 0), 0);
  const bytes = bytesFromHex(each.data).subarray(first * itemSizeOf(each.data_type));
  await set(
    array,
    region.map(([start, stop]) => slice(start, stop)),
    // A region of the whole array's data, in place: strides lead through it.
    { data: array.dataType.view(bytes), shape: region.map(([start, stop]) => stop - start), stride },
  );
  return store;
}

/** Writes with both kinds of kernels, which must make the same store. */
export async function writeCase(each: Case): Promise<MapStore> {
  const [wasm, javascript] = [await withKernels("wasm", each), await withKernels("javascript", each)];
  if (JSON.stringify(encodeStore(wasm)) !== JSON.stringify(encodeStore(javascript))) {
    throw new Error("WASM and JavaScript kernels wrote different stores");
  }
  return wasm;
}

async function withKernels(kernels: "wasm" | "javascript", each: Case): Promise<MapStore> {
  setKernels(kernels);
  try {
    return await writeCaseOnce(each);
  } finally {
    setKernels("auto");
  }
}

/** Reads the array at a store's root. */
export async function readArray(store: MapStore): Promise<unknown> {
  return await get(await open(store, { kind: "array" }));
}

export function encodeStore(store: MapStore): Record<string, string> {
  return Object.fromEntries(
    [...store]
      .map(([key, value]) => [key, base64FromBytes(value)])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );
}

export function decodeStore(store: Readonly<Record<string, string>>): MapStore {
  return new Map(Object.entries(store).map(([key, value]) => [key, bytesFromBase64(value)]));
}
