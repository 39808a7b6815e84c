/** The codecs of HDF5's filters, on the chunks that the library itself wrote into the fixtures. */
import { readFileSync } from "node:fs";
import { product } from "../../src/base/shape.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/metadata/json.js";
import { openVirtual } from "../../src/stores/virtual/index.js";
import type { FuzzArray, FuzzTarget } from "./targets.js";

/** Datasets of each file: every codec, with elements of several lengths. */
const DATASETS: Readonly<Record<string, readonly string[]>> = {
  "filters_latest.h5": ["lzf", "scaleoffset_f4", "scaleoffset_i4", "scaleoffset_u1"],
  "szip_and_nbit_latest.h5": [
    ...["nbit_5", "nbit_19", "nbit_40"],
    ...["szip_f4_ec_8", "szip_f8_nn_32", "szip_i2_nn_10", "szip_i4_big_ec_8", "szip_u1_ec_8"],
  ],
  "plugins_latest.h5": ["bitshuffle", "bitshuffle_lz4", "lz4_blocks"],
};

async function targetsOf([name, datasets]: [string, readonly string[]]): Promise<readonly FuzzTarget[]> {
  const bytes = new Uint8Array(readFileSync(`test/fixtures/virtual/${name}`));
  const store = await openVirtual({
    size: bytes.length,
    read: ({ offset, length }) => bytes.subarray(offset, offset + length),
  });
  return Promise.all(
    datasets.map(async (path): Promise<FuzzTarget> => {
      const node = await store.rootGroup.child(path);
      if (node?.kind !== "array") throw new Error(`expected a dataset ${path} in ${name}`);
      const { codecs, data_type: dataType, chunk_grid: grid } = await node.document();
      const shape = chunkShapeOf(grid);
      const encoded: Uint8Array[] = [];
      for await (const coordinates of node.chunks()) {
        const chunk = await node.chunk(coordinates);
        if (chunk !== undefined && chunk.recode === undefined) encoded.push(await store.bytesOf(chunk));
      }
      return {
        name: `HDF5's ${path}`,
        array: { dataType: String(dataType), shape, length: product(shape), codecs: codecsOf(codecs) },
        encoded,
      };
    }),
  );
}

function codecsOf(codecs: Json | undefined): FuzzArray["codecs"] {
  return (isJsonArray(codecs) ? codecs : []).flatMap((codec) => {
    if (!isJsonObject(codec) || typeof codec.name !== "string") return [];
    const { name, configuration } = codec;
    return [{ name, ...(isJsonObject(configuration) && { configuration }) }];
  });
}

function chunkShapeOf(grid: Json | undefined): readonly number[] {
  const configuration: JsonObject =
    isJsonObject(grid) && isJsonObject(grid.configuration) ? grid.configuration : {};
  const { chunk_shape: shape } = configuration;
  return isJsonArray(shape) ? shape.filter((extent) => typeof extent === "number") : [];
}

export const HDF5_TARGETS: readonly FuzzTarget[] = (
  await Promise.all(Object.entries(DATASETS).map(targetsOf))
).flat();
