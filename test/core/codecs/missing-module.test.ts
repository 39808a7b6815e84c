/**
 * The fallbacks of decoders, which are downloaded only when WASM memory has no room, once for all codecs that
 * share them.
 */
import { describe, expect, it } from "vitest";
import { loadMissing, retryWithMissing } from "../../../src/core/codecs/modules/missing-modules.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { prepareCodecs } from "../../../src/core/codecs/prepare-pipeline.js";
import { parseDataType } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../../src/kernels/load.js";
import { makeData } from "./recipes.js";

async function prepare(name: string) {
  setKernels("wasm");
  const kernels = await loadKernels();
  const spec = { shape: [20_000], dataType: parseDataType("uint8"), fillValue: 0 };
  const codecs = [
    { name: "bytes", configuration: {} },
    { name, configuration: {} },
  ];
  const pipeline = await prepareCodecs(codecs, spec, kernels);
  await loadForWriting(kernels);
  return { kernels, pipeline };
}

/** Takes all there is: then `allocate` hands out ordinary memory. */
function exhaustArena(kernels: Kernels): void {
  kernels.begin(0);
  const { buffer } = kernels.allocate(0);
  for (let size = 2 ** 26; size >= 16; size /= 2) while (kernels.allocate(size).buffer === buffer);
}

const HERE = { key: "/c/0", chunk: [0] };

// In this order: zlib finds the fallback of gzip, lz4 that of blosc.
describe.each([
  ["zstd", 2],
  ["gzip", 2],
  ["zlib", 1],
  ["blosc", 2],
  ["lz4", 1],
] as const)("%s", (name, expected) => {
  it("asks for its fallback where there is no room, unless it is there, and then decodes with it", async () => {
    const { kernels, pipeline } = await prepare(name);
    const data = makeData("words", 20_000);
    kernels.begin(2 ** 22);
    const encoded = pipeline.encode(data, kernels, HERE).slice();
    kernels.begin(2 ** 20);
    expect(pipeline.decode(encoded, kernels, HERE).slice()).toEqual(data);
    let attempts = 0;
    const decoded = await retryWithMissing(kernels, () => {
      attempts++;
      exhaustArena(kernels);
      return pipeline.decode(encoded, kernels, HERE);
    });
    expect(attempts).toBe(expected);
    expect(decoded).toEqual(data);
    await expect(loadMissing(new Error("something else"), kernels)).rejects.toThrow("something else");
  });
});
