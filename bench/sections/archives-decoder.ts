/** wazarr as a rival of the libraries that read archives' codecs: one chunk, through an array's codecs. */

import { product } from "../../src/base/shape.js";
import { retryWithMissing } from "../../src/core/codecs/modules/missing-modules.js";
import { prepareCodecs } from "../../src/core/codecs/prepare-pipeline.js";
import { dataTypeFromV3 } from "../../src/data-types/registry.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { here, type Rival } from "../race.js";

export interface Chunk {
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[];
  readonly dtype: string;
  readonly shape: readonly number[];
  /** In ordinary memory. */
  readonly encoded: Uint8Array;
}

const SOMEWHERE = { key: "c/0", chunk: [0] };

/** Decodes in the arena, and copies to an ordinary array. */
async function decoder(kernels: Kernels, { codecs, dtype, shape, encoded }: Chunk): Promise<Rival> {
  const dataType = dataTypeFromV3(dtype);
  const named = codecs.map(({ name, configuration = {} }) => ({ name, configuration }));
  const pipeline = await prepareCodecs(named, { shape, dataType, fillValue: 0 }, kernels);
  const byteLength = product(shape) * dataType.itemSize;
  const out = new Uint8Array(byteLength).fill(1);
  const decode = (): void => {
    kernels.begin(4 * byteLength + 2 * encoded.length + 2 ** 20);
    out.set(pipeline.decode(encoded, kernels, SOMEWHERE));
  };
  await retryWithMissing(kernels, decode);
  return here(async () => decode());
}

async function kernelsOf(choice: "wasm" | "javascript"): Promise<Kernels> {
  setKernels(choice);
  const kernels = await loadKernels();
  setKernels("auto");
  return kernels;
}

/** wazarr, and wazarr without WebAssembly. */
export async function decoders(chunk: Chunk): Promise<readonly [Rival, Rival]> {
  return [await decoder(await kernelsOf("wasm"), chunk), await decoder(await kernelsOf("javascript"), chunk)];
}

/** Numbers from 0 to 1, the same in every run. */
export function noise(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
