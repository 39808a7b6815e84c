/**
 * Every data type, written by wazarr and read by every implementation that can be had, and the other way round. An
 * implementation may refuse a type, but never read other elements. Which of them agreed is the table of docs/data-types.md:
 * it has to say what this run found. `npm run docs:data-types` writes it anew.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import * as zarrita from "zarrita";
import {
  create,
  get,
  type Json,
  loadExtraDataTypes,
  open,
  resolveDataType,
  set,
  slice,
} from "../../src/index.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import type { EncodedStore } from "../setup/python.js";
import { type DataTypeRow, rows } from "./data-type-rows.js";
import { bytesFromHex, hexFromBytes } from "./elements.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const SCRIPT = fileURLToPath(new URL("../../scripts/oracles/data_types.py", import.meta.url));
const DOCUMENT = new URL("../../docs/data-types.md", import.meta.url);
const { python, debian } = readOracles();

interface Implementation {
  readonly letter: string;
  readonly title: string;
  readonly module: string;
  readonly executable: string | null | undefined;
  readonly formats: readonly (2 | 3)[];
}
const implementations: readonly Implementation[] = [
  {
    letter: "P",
    title: `zarr-python ${python?.zarr}`,
    module: "zarr_python_3",
    executable: python?.zarr && python.executable,
    formats: [2, 3],
  },
  {
    letter: "p",
    title: `zarr-python ${debian?.zarr}`,
    module: "zarr_python_2",
    executable: debian?.zarr && debian.executable,
    formats: [2],
  },
  {
    letter: "T",
    title: `TensorStore ${python?.tensorstore}`,
    module: "tensorstore",
    executable: python?.tensorstore && python.executable,
    formats: [2, 3],
  },
  {
    letter: "G",
    title: `GDAL ${debian?.gdal}`,
    module: "gdal",
    executable: debian?.gdal && debian.executable,
    formats: [2],
  },
];

/** Where an implementation reads something else, and is known to be wrong. */
const KNOWN_WRONG = new Set([
  // Takes the fill value 2 for 2^-63 (pattern 0x40, which is 2 in float8_e4m3fn); ml_dtypes and the specification say 0x80.
  "T float8_e8m0fnu",
]);

/** One array: a row in one format and byte order. */
interface Variant {
  readonly row: DataTypeRow;
  readonly zarrFormat: 2 | 3;
  readonly dataType: Json;
}
const variants: readonly Variant[] = rows.flatMap((row) => [
  ...row.v2.map((dataType): Variant => ({ row, zarrFormat: 2, dataType })),
  ...(row.v3 === undefined ? [] : [{ row, zarrFormat: 3, dataType: row.v3 } satisfies Variant]),
]);
const label = ({ zarrFormat, dataType }: Variant): string => `v${zarrFormat} ${JSON.stringify(dataType)}`;

function splitData({ row, dataType }: Variant) {
  const type = resolveDataType(dataType).dataType;
  const bytes = bytesFromHex(row.data);
  return {
    type,
    elements: bytes.subarray(0, 4 * type.itemSize),
    fill: type.readScalar(bytes.subarray(4 * type.itemSize)),
  };
}

async function writeVariant(variant: Variant): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const { type, elements, fill } = splitData(variant);
  const { zarrFormat, dataType: dtype } = variant;
  const array = await create(store, { shape: [5], chunkShape: [2], dtype, zarrFormat, fillValue: fill });
  await set(array, [slice(0, 4)], { data: type.view(elements), shape: [4] });
  return store;
}

async function readStore(store: Map<string, Uint8Array>): Promise<string> {
  const array = await open(store, { kind: "array" });
  const { data } = await get(array);
  return hexFromBytes(array.dataType.bytesOf(data) ?? new Uint8Array(0));
}

/** What the implementation reads of what wazarr wrote, and what it writes: undefined where it refuses the type. */
interface Answer {
  readonly data?: string;
  readonly store?: EncodedStore;
  readonly error?: string;
}
interface Answers {
  readonly write: readonly Answer[];
  readonly read: readonly Answer[];
}

async function ask({
  module,
  executable,
  formats,
}: Implementation): Promise<Map<Variant, { read: Answer; write: Answer }>> {
  const asked = variants.filter(({ zarrFormat }) => formats.includes(zarrFormat));
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
        item_size: variant.row.data.length / 10,
        store: encodeStore(await writeVariant(variant)),
      })),
    ),
  };
  const json = JSON.stringify(requests, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  const { status, stdout, stderr } = spawnSync(executable ?? "", [SCRIPT, module], {
    input: json,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr.toString());
  const answers: Answers = JSON.parse(stdout.toString());
  return new Map(
    asked.map((variant, i) => [variant, { read: answers.read[i] ?? {}, write: answers.write[i] ?? {} }]),
  );
}

/** Letters of the implementations that agreed on every variant of a row: by row, format and direction. */
const agreed = new Map<string, string>();
const cell = (row: DataTypeRow, zarrFormat: 2 | 3, direction: "read" | "write"): string =>
  `${row.name} v${zarrFormat} ${direction}`;

function record(letter: string, outcomes: ReadonlyMap<Variant, { read: boolean; write: boolean }>): void {
  for (const row of rows) {
    for (const zarrFormat of [2, 3] as const) {
      const of = [...outcomes].filter(
        ([variant]) => variant.row === row && variant.zarrFormat === zarrFormat,
      );
      for (const direction of ["read", "write"] as const) {
        if (of.length === 0 || !of.every(([, outcome]) => outcome[direction])) continue;
        const key = cell(row, zarrFormat, direction);
        agreed.set(key, (agreed.get(key) ?? "") + letter);
      }
    }
  }
}

beforeAll(loadExtraDataTypes);

describe.each(variants.map((variant) => [label(variant), variant] as const))("%s", (_, variant) => {
  it("reads what it wrote", async () => {
    expect(await readStore(await writeVariant(variant))).toBe(variant.row.data);
  });
});

for (const implementation of implementations) {
  const isThere = typeof implementation.executable === "string";
  if (!isThere)
    warnLoudly(
      `No ${implementation.module}: its data types are SKIPPED. scripts/oracles/install.sh installs it.`,
    );

  describe.skipIf(!isThere)(implementation.title, () => {
    it("agrees on every type that it knows", async () => {
      const answers = await ask(implementation);
      const outcomes = new Map<Variant, { read: boolean; write: boolean }>();
      const wrong: string[] = [];
      for (const [variant, { read, write }] of answers) {
        const { data } = variant.row;
        const known = KNOWN_WRONG.has(`${implementation.letter} ${variant.row.name}`);
        if (read.data !== undefined && read.data !== data && !known) {
          wrong.push(`${label(variant)}: reads ${read.data}`);
        }
        let taken: string | undefined;
        if (write.store !== undefined) {
          taken = await readStore(decodeStore(write.store));
          if (taken !== data) wrong.push(`${label(variant)}: wazarr reads ${taken}`);
        }
        // "v2 write" of the table is what wazarr writes and the implementation reads.
        outcomes.set(variant, { read: taken === data, write: read.data === data });
      }
      expect(wrong).toEqual([]);
      record(implementation.letter, outcomes);
    });
  });
}

describe("zarrita", () => {
  it("agrees on every type that it reads", async () => {
    const outcomes = new Map<Variant, { read: boolean; write: boolean }>();
    const wrong: string[] = [];
    for (const variant of variants) {
      const data = await zarritaReads(await writeVariant(variant));
      if (data !== undefined && data !== variant.row.data) wrong.push(`${label(variant)}: reads ${data}`);
      outcomes.set(variant, { read: false, write: data === variant.row.data });
    }
    expect(wrong).toEqual([]);
    record("z", outcomes);
  });
});

async function zarritaReads(store: Map<string, Uint8Array>): Promise<string | undefined> {
  try {
    const { data } = await zarrita.get(await zarrita.open(store, { kind: "array" }));
    if (!("buffer" in data)) return undefined;
    return hexFromBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  } catch {
    return undefined;
  }
}

const BEGIN = "<!-- begin: written by test/interop/data-types.test.ts -->";
const END = "<!-- end -->";

function table(): string {
  const head = ["data type", "v2 read", "v2 write", "v3 read", "v3 write"];
  const lines = rows.map((row) => {
    const cells = ([2, 3] as const).flatMap((zarrFormat) =>
      (["read", "write"] as const).map((direction) => {
        const holds = zarrFormat === 2 ? row.v2.length > 0 : row.v3 !== undefined;
        return holds ? `✓ ${agreed.get(cell(row, zarrFormat, direction)) ?? ""}`.trim() : "";
      }),
    );
    return [row.name, ...cells];
  });
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

describe("docs/data-types.md", () => {
  const complete = implementations.every(({ executable }) => typeof executable === "string");
  it.skipIf(!complete)("has the table that this run found", () => {
    const text = readFileSync(DOCUMENT, "utf8");
    const [before = "", rest = ""] = text.split(BEGIN);
    const [, after = ""] = rest.split(END);
    const expected = `${before}${BEGIN}\n${table()}\n${END}${after}`;
    if (process.env.WAZARR_WRITE_DOCS === "1") writeFileSync(DOCUMENT, expected);
    else expect(text).toBe(expected);
  });
});
