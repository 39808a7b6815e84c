/** Entries of `registry` that are typed as zarrita's `CodecEntry`, and entries that are taken out of it. */
import { afterEach, describe, expect, test } from "vitest";
import { create, get, isZarrError, open, registry, root } from "../../../src/index.js";

const NAME = "test.picture";
afterEach(() => registry.delete(NAME));

/** An array of one chunk that the codec decodes. */
function stored() {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [2, 2],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [{ name: NAME, configuration: { quality: 7 } }],
  };
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(document))],
    ["/c/0/0", Uint8Array.of(99)],
  ]);
}

interface Meta {
  readonly dataType?: string;
  readonly shape?: readonly number[];
}

const seen: Meta[] = [];
const codec = {
  kind: "array_to_bytes",
  encode: () => Uint8Array.of(99),
  decode: () => ({ data: Uint8Array.of(1, 2, 3, 4), shape: [2, 2], stride: [2, 1] }),
} as const;

class WithStaticKind {
  static readonly kind = "array_to_bytes";
  readonly kind = "array_to_bytes";
  static fromConfig(_: unknown, meta: Meta) {
    seen.push(meta);
    return new WithStaticKind();
  }
  encode = codec.encode;
  decode = codec.decode;
}

describe("an entry with a kind is zarrita's", () => {
  test.each([
    [
      "an object",
      {
        kind: "array_to_bytes" as const,
        fromConfig(_: unknown, meta: Meta) {
          seen.push(meta);
          return codec;
        },
      },
    ],
    ["a class", WithStaticKind],
  ])("%s", async (_, entry) => {
    registry.set(NAME, async () => entry);
    const array = await open(root(stored()), { kind: "array" });
    expect((await get(array)).data).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(seen.at(-1)).toMatchObject({ dataType: "uint8", shape: [2, 2] });
    expect(
      await (await registry.get(NAME)?.())
        ?.fromConfig({}, { data_type: "uint8", chunk_shape: [2, 2] })
        .decode(Uint8Array.of(1)),
    ).toMatchObject({ shape: [2, 2] });
  });

  test("of bytes too", async () => {
    registry.set(NAME, async () => ({
      kind: "bytes_to_bytes" as const,
      fromConfig: () => ({
        kind: "bytes_to_bytes" as const,
        encode: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
        decode: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
      }),
    }));
    const store = new Map<string, Uint8Array>();
    await create(root(store), { shape: [2], dtype: "uint8", codecs: [NAME] });
    store.set("/c/0", Uint8Array.of(5, 6));
    expect((await get(await open(store, { kind: "array" }))).data).toEqual(Uint8Array.of(4, 7));
  });
});

test("an entry with codecKind has wazarr's interface, and is handed out in zarrita's", async () => {
  registry.set(NAME, async () => ({
    codecKind: "array_to_bytes" as const,
    fromConfig: (_: object, spec: { shape: readonly number[] }) => ({
      kind: "array_to_bytes" as const,
      decode: () => new Uint8Array(spec.shape.reduce((product, length) => product * length, 1)).fill(9),
    }),
  }));
  expect((await get(await open(root(stored()), { kind: "array" }))).data).toEqual(new Uint8Array(4).fill(9));
  const entry = await registry.get(NAME)?.();
  for (const meta of [
    { data_type: "uint8", chunk_shape: [2, 2], codecs: [] },
    { dataType: "uint8" as const, shape: [2, 2], codecs: [], fillValue: null },
  ]) {
    const chunk = await entry?.fromConfig({}, meta).decode(Uint8Array.of(1));
    expect(chunk).toMatchObject({ data: new Uint8Array(4).fill(9), shape: [2, 2], stride: [2, 1] });
  }
});

test("codecs of the package take fizarrita's metadata", async () => {
  const bytes = await registry.get("bytes")?.();
  const meta = { data_type: "int16", chunk_shape: [2, 1], codecs: [] };
  const decoded = await bytes?.fromConfig({ endian: "big" }, meta).decode(Uint8Array.of(0, 1, 0, 2));
  expect(decoded).toEqual({ data: Int16Array.of(1, 2), shape: [2, 1], stride: [1, 1] });
});

test("the message of an unknown codec begins as zarrita's, and goes on with advice", async () => {
  const failure = await open(root(stored()), { kind: "array" })
    .then(
      (array) => get(array),
      (error: unknown) => error,
    )
    .catch((error: unknown) => error);
  expect(isZarrError(failure, "UnknownCodecError")).toBe(true);
  expect(String(failure)).toMatch(/^UnknownCodecError: Unknown codec: test\.picture; registry\.set\("test/);
});
