/** The codecs of arrays that nobody chose codecs for, as zarr-python's create_array chooses them. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type CreateArrayOptions, create, type Json, type ZarrFormat } from "../../src/index.js";
import { ZSTD } from "../setup/codecs.js";
import { readOracles } from "../setup/oracles.js";

const { python } = readOracles();
const executable = python?.zarr ? python.executable : undefined;

const PROGRAM = `
import json, sys, warnings, zarr
from zarr.storage import MemoryStore
warnings.simplefilter("ignore")
documents = []
for case in json.load(sys.stdin):
    values = {}
    zarr.create_array(MemoryStore(values), **case)
    documents.append(json.loads(values["zarr.json" if case["zarr_format"] == 3 else ".zarray"].to_bytes()))
json.dump(documents, sys.stdout)
`;

type Layout = Pick<CreateArrayOptions<string>, "dtype" | "chunkShape"> & {
  readonly zarrFormat: ZarrFormat;
  readonly shards?: readonly number[];
};

const layouts: readonly Layout[] = ([3, 2] as const).flatMap((zarrFormat) => [
  ...["float32", "uint8", "bool", "complex64", "string", "<U4", "|V4"].map((dtype) => ({
    zarrFormat,
    dtype,
    chunkShape: [2, 2],
  })),
  ...(zarrFormat === 3
    ? ["int16", "string"].map((dtype) => ({ zarrFormat, dtype, chunkShape: [2, 2], shards: [4, 4] }))
    : []),
]);

/** zarr-python writes zstd's own default level as 0, which is 3; an empty configuration may be left out. */
function alike(json: Json | undefined): Json | undefined {
  if (Array.isArray(json)) return json.map((item) => alike(item) ?? null);
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).flatMap(([name, value]): [string, Json][] => {
    if (name === "configuration" && JSON.stringify(value) === "{}") return [];
    if (name === "level" && value === 3) return [[name, 0]];
    return [[name, alike(value) ?? null]];
  });
  return Object.fromEntries(members);
}

async function documentOf({ dtype, ...layout }: Layout): Promise<{ readonly [member: string]: Json }> {
  const store = new Map<string, Uint8Array>();
  await create(store, { ...layout, dtype, shape: [4, 4] });
  return JSON.parse(new TextDecoder().decode(store.get(layout.zarrFormat === 3 ? "/zarr.json" : "/.zarray")));
}

describe.skipIf(executable === undefined)("zarr-python", () => {
  it("chooses the same codecs", async () => {
    const cases = layouts.map(({ dtype, chunkShape, shards, zarrFormat }) => ({
      shape: [4, 4],
      dtype: dtype === "string" ? "str" : dtype,
      chunks: chunkShape,
      shards,
      zarr_format: zarrFormat,
    }));
    const output = execFileSync(executable ?? "", ["-c", PROGRAM], { input: JSON.stringify(cases) });
    const theirs: readonly { readonly [member: string]: Json }[] = JSON.parse(output.toString());
    const members = ["codecs", "filters", "compressor"];
    for (const [i, layout] of layouts.entries()) {
      const ours = await documentOf(layout);
      for (const member of members) {
        expect(alike(ours[member]), `${member} of ${JSON.stringify(layout)}`).toEqual(
          alike(theirs[i]?.[member]),
        );
      }
    }
  });
});

it("zstd at level 3 is the default of v3 and v2, none is that of the draft, [] stores plain bytes", async () => {
  const layout = { dtype: "uint8", chunkShape: [2, 2] };
  expect((await documentOf({ ...layout, zarrFormat: 3 })).codecs).toEqual([{ name: "bytes" }, ZSTD]);
  expect((await documentOf({ ...layout, zarrFormat: 2 })).compressor).toEqual({ id: "zstd", level: 3 });
  const { metadata } = await create(new Map(), { ...layout, shape: [4, 4], zarrFormat: "draft" });
  expect(metadata.codecs).toEqual([]);
  for (const zarrFormat of [2, 3] as const) {
    const plain = await create(new Map(), { ...layout, shape: [4, 4], zarrFormat, codecs: [] });
    expect(plain.metadata.codecs.map(({ name }) => name)).toEqual(zarrFormat === 2 ? [] : ["bytes"]);
  }
});
