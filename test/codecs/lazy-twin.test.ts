/** The twins of decoders, which are downloaded only when WASM memory has no room. Every test has modules of its own. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Kernels } from "../../src/kernels/kernels.js";
import { makeData } from "./recipes.js";

beforeEach(() => {
  vi.resetModules();
});

async function freshCodec(name: string) {
  const { loadKernels, setKernels } = await import("../../src/kernels/load.js");
  setKernels("wasm");
  const kernels = await loadKernels();
  const { prepareCodecs } = await import("../../src/codecs/pipeline.js");
  const { loadForWriting } = await import("../../src/codecs/load-for-writing.js");
  const { parseDataType } = await import("../../src/data-types/registry.js");
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

describe.each(["zstd", "gzip", "zlib", "blosc", "lz4"])("%s", (name) => {
  it("asks for its twin where there is no room, and then decodes with it", async () => {
    const { kernels, pipeline } = await freshCodec(name);
    const { withLateLoads, loadLate } = await import("../../src/codecs/late.js");
    const data = makeData("words", 20_000);
    kernels.begin(2 ** 22);
    const encoded = pipeline.encode(data, kernels, HERE).slice();
    kernels.begin(2 ** 20);
    expect(pipeline.decode(encoded, kernels, HERE).slice()).toEqual(data);
    let attempts = 0;
    const decoded = await withLateLoads(kernels, () => {
      attempts++;
      exhaustArena(kernels);
      return pipeline.decode(encoded, kernels, HERE);
    });
    expect(attempts).toBe(2);
    expect(decoded).toEqual(data);
    await expect(loadLate(new Error("something else"), kernels)).rejects.toThrow("something else");
  });
});
