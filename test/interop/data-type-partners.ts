/** The implementations that arrays of every data type are exchanged with. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { create, get, type Json, open, set, slice } from "../../src/index.js";
import { resolveDataType } from "../../src/main/data-types.js";
import { isJsonObject, parseJson } from "../../src/metadata/json.js";
import { readOracles } from "../setup/oracles.js";
import type { EncodedStore } from "../setup/python.js";
import { readWithZarrs, writeWithZarrs, zarrsExecutable } from "../setup/zarrs.js";
import { type DataTypeRow, rows } from "./data-type-rows.js";
import { bytesFromHex, hexFromBytes } from "./elements.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const SCRIPT = fileURLToPath(new URL("../../scripts/oracles/data_types.py", import.meta.url));
const { python, debian, zarrs } = readOracles();

/** One array: a row in one format and byte order. */
export interface Variant {
  readonly row: DataTypeRow;
  readonly zarrFormat: 2 | 3;
  readonly dataType: Json;
}
export const variants: readonly Variant[] = rows.flatMap((row) => [
  ...row.v2.map((dataType): Variant => ({ row, zarrFormat: 2, dataType })),
  ...row.v3.map((dataType): Variant => ({ row, zarrFormat: 3, dataType })),
]);

/**
 * What an implementation reads of what wazarr wrote, and what it writes: undefined where it refuses the type.
 */
export interface Answers {
  readonly read: { readonly data?: string | undefined };
  readonly write: { readonly store?: Map<string, Uint8Array> | undefined };
}
export interface Implementation {
  readonly letter: string;
  readonly title: string;
  readonly isThere: boolean;
  readonly formats: readonly (2 | 3)[];
  exchange(asked: readonly Variant[]): Promise<readonly Answers[]>;
}

function splitData({ row, dataType }: Variant) {
  const type = resolveDataType(dataType).dataType;
  if (type.variable !== undefined) {
    const decode = (bytes: Uint8Array): unknown =>
      type.variable === "text" ? new TextDecoder().decode(bytes) : bytes;
    const [fill, ...elements] = row.data.split(",").map(bytesFromHex).map(decode).reverse();
    return { type, data: elements.reverse(), fill };
  }
  const bytes = bytesFromHex(row.data);
  return {
    type,
    data: type.view(bytes.subarray(0, 4 * type.itemSize)),
    fill: type.readScalar(bytes.subarray(4 * type.itemSize)),
  };
}
const withoutFill = ({ row }: Variant): { data: string } | { elements: readonly string[] } =>
  row.data.includes(",")
    ? { elements: row.data.split(",").slice(0, 4) }
    : { data: row.data.slice(0, (row.data.length / 5) * 4) };

/** Five elements in chunks of two; the last one is nothing but fill value. */
export async function writeVariant(variant: Variant): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const { data, fill } = splitData(variant);
  const { zarrFormat, dataType: dtype } = variant;
  const array = await create(store, { shape: [5], chunkShape: [2], dtype, zarrFormat, fillValue: fill });
  await set(array, [slice(0, 4)], { data, shape: [4] });
  return store;
}

export async function readStore(store: Map<string, Uint8Array>): Promise<string> {
  const array = await open(store, { kind: "array" });
  const { data } = await get(array);
  if (array.dataType.itemSize === 0) return variableHex(data);
  return hexFromBytes(array.dataType.bytesOf(data) ?? new Uint8Array(0));
}

/** Strings and bytes in hex, with commas between them. */
export function variableHex(data: unknown): string {
  return Array.from(Array.isArray(data) ? data : [], (element: unknown) =>
    hexFromBytes(element instanceof Uint8Array ? element : new TextEncoder().encode(String(element))),
  ).join(",");
}

interface PythonAnswers {
  readonly write: readonly { readonly store?: EncodedStore }[];
  readonly read: readonly { readonly data?: string }[];
}

async function exchangeWithPython(
  executable: string,
  module: string,
  asked: readonly Variant[],
): Promise<readonly Answers[]> {
  const requests = {
    write: asked.map((variant) => {
      const { type, fill } = splitData(variant);
      const { zarrFormat, dataType, row } = variant;
      const { endian } = resolveDataType(dataType);
      return {
        zarr_format: zarrFormat,
        data_type: dataType,
        data: row.data,
        fill_value: type.scalarToJson(fill, zarrFormat, endian),
      };
    }),
    read: await Promise.all(
      asked.map(async (variant) => ({
        zarr_format: variant.zarrFormat,
        item_size: resolveDataType(variant.dataType).dataType.itemSize,
        store: encodeStore(await writeVariant(variant)),
      })),
    ),
  };
  const json = JSON.stringify(requests, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  const { status, stdout, stderr } = spawnSync(executable, [SCRIPT, module], {
    input: json,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr.toString());
  const answers: PythonAnswers = JSON.parse(stdout.toString());
  return asked.map((_, i) => {
    const store = answers.write[i]?.store;
    return { read: answers.read[i] ?? {}, write: { store: store && decodeStore(store) } };
  });
}

function pythonImplementation(
  letter: string,
  title: string,
  module: string,
  executable: string | null | undefined,
  formats: readonly (2 | 3)[],
): Implementation {
  return {
    letter,
    title,
    isThere: typeof executable === "string",
    formats,
    exchange: (asked) => exchangeWithPython(executable ?? "", module, asked),
  };
}

/** It writes under the metadata it is given, in which it has to know the type; of v2 it is a reader only. */
async function exchangeWithZarrs(executable: string, asked: readonly Variant[]): Promise<readonly Answers[]> {
  const stores = await Promise.all(asked.map(writeVariant));
  const all = new Map(stores.flatMap((store, i) => [...store].map(([key, value]) => [`/${i}${key}`, value])));
  const readings = readWithZarrs(
    executable,
    all,
    asked.map((_, i) => `/${i}`),
  );
  return asked.map((variant, i) => ({
    read: { data: readings[i]?.data ?? readings[i]?.elements?.join(",") },
    write: variant.zarrFormat === 2 ? {} : { store: writtenByZarrs(executable, variant, stores[i]) },
  }));
}

function writtenByZarrs(
  executable: string,
  variant: Variant,
  store: Map<string, Uint8Array> | undefined,
): Map<string, Uint8Array> | undefined {
  const metadata = parseJson(store?.get("/zarr.json") ?? "{}");
  if (!isJsonObject(metadata)) return undefined;
  const array = { path: "/", metadata, ...withoutFill(variant) };
  try {
    return writeWithZarrs(executable, [{ ...array, selection: [[0, 4]] }]);
  } catch {
    return undefined;
  }
}

export const implementations: readonly Implementation[] = [
  pythonImplementation(
    "P",
    `zarr-python ${python?.zarr}`,
    "zarr_python_3",
    python?.zarr && python.executable,
    [2, 3],
  ),
  pythonImplementation(
    "p",
    `zarr-python ${debian?.zarr}`,
    "zarr_python_2",
    debian?.zarr && debian.executable,
    [2],
  ),
  pythonImplementation(
    "T",
    `TensorStore ${python?.tensorstore}`,
    "tensorstore",
    python?.tensorstore && python.executable,
    [2, 3],
  ),
  {
    letter: "R",
    title: `zarrs ${zarrs?.version}`,
    isThere: zarrsExecutable() !== undefined,
    formats: [2, 3],
    exchange: (asked) => exchangeWithZarrs(zarrs?.executable ?? "", asked),
  },
  pythonImplementation("G", `GDAL ${debian?.gdal}`, "gdal", debian?.gdal && debian.executable, [2]),
];
