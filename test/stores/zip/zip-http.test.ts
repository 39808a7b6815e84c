/** How many requests a hierarchy in a zip archive behind HTTP takes. */
import { describe, expect, it } from "vitest";
import { create, get, open, root, set, tree } from "../../../src/index.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { serve } from "../../core/stores/server.js";
import { buildZip, concatenate } from "./builder.js";

describe("a hierarchy in an archive behind HTTP", () => {
  /** A group with three arrays of 256 KiB in four chunks each, and some attributes. */
  async function values(zarrFormat: 2 | 3): Promise<Map<string, Uint8Array>> {
    const store = new Map<string, Uint8Array>();
    await create(store, { zarrFormat, attributes: { title: "weather" } });
    for (const name of ["a", "b", "c"]) {
      const options = { zarrFormat, shape: [65_536], chunkShape: [16_384], dtype: "float32" } as const;
      const array = await create(root(store).resolve(name), { ...options, attributes: { name }, codecs: [] });
      await set(array, null, { data: Float32Array.from({ length: 65_536 }, Math.sin), shape: [65_536] });
    }
    return store;
  }
  const isDocument = (key: string): boolean => /\.z|json/.test(key);
  const layouts: Record<string, (store: Map<string, Uint8Array>) => Promise<Uint8Array>> = {
    packZip: async (store) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of packZip(store)) pieces.push(piece);
      return concatenate(pieces);
    },
    "documents first": async (store) =>
      buildZip(
        [...store]
          .sort(([a], [b]) => Number(isDocument(b)) - Number(isDocument(a)))
          .map(([key, value]) => ({ name: key.slice(1), value })),
      ),
  };

  it.each([2, 3] as const)("of v%i: tree and one array take at most four requests", async (zarrFormat) => {
    const store = await values(zarrFormat);
    for (const [layout, archive] of Object.entries(layouts)) {
      const server = await serve(new Map([["/data.zip", await archive(store)]]));
      try {
        const zip = ZipStore.fromUrl(`${server.url}/data.zip`);
        expect(await tree(zip)).toContain("b [65536] float32");
        const array = await open(root(zip).resolve("b"), { kind: "array" });
        const { data } = await get(array);
        expect(data).toEqual(Float32Array.from({ length: 65_536 }, Math.sin));
        expect(server.requests.length, layout).toBeLessThanOrEqual(4);
        expect(server.requests.every(({ range }) => range !== undefined)).toBe(true);
      } finally {
        await server.close();
      }
    }
  });
});
