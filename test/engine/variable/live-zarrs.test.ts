/**
 * Round trips with zarrs: every variable-length form it has, both ways, to the last byte where nothing is
 * compressed.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { create, get, open, root, set } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { readWithZarrs, writeWithZarrs, type ZarrsAnswer, zarrsExecutable } from "../../setup/zarrs.js";
import { hex, TEXTS, toBytes } from "./elements.js";
import {
  BIG,
  BYTES,
  CHAIN_CHUNK_SHAPE,
  CHAIN_SHAPE,
  CHAIN_TEXTS,
  CHAINS,
  CRC,
  codec,
  GZIP,
  LITTLE,
  vlen,
  ZSTD,
} from "./vlen-chains.js";

const VLEN_URL = "https://codec.zarrs.dev/array_to_bytes/vlen";

interface Options {
  readonly shards?: true;
  readonly shape?: readonly number[];
  readonly chunkShape?: readonly number[];
  readonly texts?: readonly string[];
  /**
   * Whether chunks are the same to the last byte: unless something is compressed, or checksums are of
   * compressed bytes.
   */
  readonly sameBytes?: boolean;
}
const pipelines: readonly (readonly [name: string, codecs: readonly JsonObject[], options?: Options])[] = [
  ["vlen 0.0, uint32", [vlen([LITTLE], [BYTES], "uint32", null)]],
  ["vlen 0.0, uint64, big endian", [vlen([BIG], [BYTES], "uint64", null)]],
  ["vlen 0.1, start", [vlen([LITTLE], [BYTES], "uint64", "start")]],
  ["vlen 0.1, end", [vlen([LITTLE], [BYTES])]],
  ["vlen 0.0 by its URL", [vlen([LITTLE], [BYTES], "uint64", null, VLEN_URL)]],
  ["vlen 0.1 by its URL", [vlen([BIG], [BYTES, CRC], "uint32", "end", VLEN_URL)]],
  ["vlen, end, checksums", [vlen([BIG, CRC], [BYTES, CRC])]],
  ["vlen, compressed", [vlen([LITTLE, GZIP], [BYTES, ZSTD], "uint64")], { sameBytes: false }],
  [
    "vlen, compressed as a whole",
    [vlen([LITTLE, CRC], [BYTES], "uint32", "start"), GZIP],
    { sameBytes: false },
  ],
  ["vlen_v2", [codec("zarrs.vlen_v2")]],
  ["vlen_v2 by its URL", [codec(`${VLEN_URL}_v2`)]],
  ["vlen-utf8", [codec("vlen-utf8")]],
  ["vlen-bytes", [codec("vlen-bytes"), ZSTD], { sameBytes: false }],
  ["vlen-array", [codec("vlen-array")]],
  // zarrs 0.23.14 does not read edge chunks of transposed elements of variable length: it takes their shape
  // the other way round.
  ["transposed", [codec("transpose", { order: [1, 0] }), vlen([LITTLE], [BYTES])], { shape: [4, 6] }],
  ["reshaped", [codec("reshape", { shape: [-1] }), codec("vlen-utf8")], { shape: [4, 6] }],
  [
    "transposed and reshaped",
    [codec("transpose", { order: [1, 0] }), codec("reshape", { shape: [2, -1] }), vlen([LITTLE], [BYTES])],
    { shape: [4, 6] },
  ],
  [
    "reshaped and transposed",
    [codec("reshape", { shape: [3, 2] }), codec("transpose", { order: [1, 0] }), vlen([LITTLE], [BYTES])],
    { shape: [4, 6] },
  ],
  ["in shards", [vlen([LITTLE], [BYTES]), GZIP], { shards: true, sameBytes: false }],
  ...CHAINS.filter(({ zarrs }) => zarrs !== undefined).map(
    ({ name, index, data, type, zarrs }) =>
      [
        `chains, ${name}`,
        [vlen(index, data, type)],
        {
          shape: CHAIN_SHAPE,
          chunkShape: CHAIN_CHUNK_SHAPE,
          texts: CHAIN_TEXTS,
          sameBytes: zarrs === "same bytes",
        },
      ] as const,
  ),
];
const cases = pipelines.flatMap(([name, codecs, options = {}]) =>
  (["string", "bytes"] as const).map((dtype) => {
    const { shape = [4, 7], chunkShape = [2, 3], texts = TEXTS } = options;
    const [rows = 0, columns = 0] = shape;
    const elements = Array.from({ length: rows * columns }, (_, i) => texts[i % texts.length] ?? "");
    return {
      sameBytes: true,
      ...options,
      name: `${name}, ${dtype}`,
      codecs,
      dtype,
      shape,
      chunkShape,
      elements,
    };
  }),
);

const executable = zarrsExecutable();

describe.skipIf(executable === undefined)("zarrs", () => {
  const stores: Map<string, Uint8Array>[] = [];
  let written = new Map<string, Uint8Array>();
  let answers: readonly ZarrsAnswer[] = [];

  beforeAll(async () => {
    if (executable === undefined) return;
    const all = new Map<string, Uint8Array>();
    for (const [i, { codecs, dtype, shards, shape, chunkShape, elements }] of cases.entries()) {
      const store = new Map<string, Uint8Array>();
      const array = await create(root(store).resolve(`/${i}`), {
        shape,
        chunkShape,
        ...(shards && { shards: [4, 6] }),
        dtype,
        codecs: codecs.map(({ name, configuration }) => JSON.parse(JSON.stringify({ name, configuration }))),
      });
      await set(array, null, { data: dtype === "string" ? elements : elements.map(toBytes), shape });
      stores.push(store);
      for (const [key, value] of store) if (key.startsWith(`/${i}`)) all.set(key, value);
    }
    answers = readWithZarrs(
      executable,
      all,
      cases.map((_, i) => `/${i}`),
    );
    written = writeWithZarrs(
      executable,
      cases.map(({ elements }, i) => ({
        path: `/${i}`,
        metadata: JSON.parse(new TextDecoder().decode(stores[i]?.get(`/${i}/zarr.json`))),
        elements: elements.map((text) => hex(toBytes(text))),
      })),
    );
  });

  for (const [i, { name, dtype, shape, elements, sameBytes }] of cases.entries()) {
    it(`wazarr -> zarrs: ${name}`, () => {
      expect(answers[i]).toEqual({ shape, elements: elements.map((text) => hex(toBytes(text))) });
    });

    it(`zarrs -> wazarr: ${name}`, async () => {
      const array = await open(root(written).resolve(`/${i}`), { kind: "array" });
      const { data } = await get(array);
      expect(data).toEqual(dtype === "string" ? elements : elements.map(toBytes));
      for (const [key, value] of stores[i] ?? []) {
        if (!key.startsWith(`/${i}/c`)) continue;
        expect(written.has(key), key).toBe(true);
        if (sameBytes) expect(hex(written.get(key) ?? new Uint8Array()), key).toBe(hex(value));
      }
    });
  }
});
