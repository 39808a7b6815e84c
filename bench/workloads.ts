/** The data sets of the end-to-end benchmark, and what is read from them. */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CodecOption, create, type Selection, set, slice } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";

export const EXTENT = 256;
export const SHAPE = [EXTENT, EXTENT, EXTENT];
export const BYTES = EXTENT ** 3 * 4;

export interface Workload {
  readonly name: string;
  readonly chunk: number;
  readonly codecs: readonly CodecOption[];
  /** Written by TensorStore, so that its encoder decides how hard the bytes are to decode; left out where there is none. */
  readonly byTensorstore?: boolean;
}

const little = { name: "bytes", configuration: { endian: "little" } };

const zstd = { name: "zstd", configuration: { level: 3, checksum: false } };

function blosc(cname: string) {
  return {
    name: "blosc",
    configuration: { cname, clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
  };
}

export const WORKLOADS: readonly Workload[] = [
  { name: "raw 64^3", chunk: 64, codecs: [little] },
  { name: "raw 32^3", chunk: 32, codecs: [little] },
  { name: "big-endian 64^3", chunk: 64, codecs: [{ name: "bytes", configuration: { endian: "big" } }] },
  {
    name: "F order 64^3",
    chunk: 64,
    codecs: [{ name: "transpose", configuration: { order: [2, 1, 0] } }, little],
  },
  { name: "gzip 64^3", chunk: 64, codecs: [little, { name: "gzip", configuration: { level: 5 } }] },
  { name: "blosc-lz4-shuffle 64^3", chunk: 64, codecs: [little, blosc("lz4")], byTensorstore: true },
  { name: "blosc-zstd-shuffle 64^3", chunk: 64, codecs: [little, blosc("zstd")], byTensorstore: true },
  { name: "zstd 64^3", chunk: 64, codecs: [little, zstd], byTensorstore: true },
  {
    name: "zstd 32^3 in 128^3 shards",
    chunk: 128,
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [32, 32, 32],
          codecs: [little, zstd],
          index_codecs: [little, { name: "crc32c", configuration: {} }],
          index_location: "end",
        },
      },
    ],
    byTensorstore: true,
  },
];

export const SELECTIONS: readonly { readonly name: string; readonly selection: Selection }[] = [
  { name: "whole", selection: null },
  {
    name: "[::2, ::2, ::2]",
    selection: [slice(null, null, 2), slice(null, null, 2), slice(null, null, 2)],
  },
  { name: "[:, :, 5]", selection: [null, null, 5] },
];

/** A smooth field with a little noise: what a compressor meets in scientific data. Seeded. */
export function smoothField(): Float32Array<ArrayBuffer> {
  const data = new Float32Array(EXTENT ** 3);
  let state = 12345;
  let at = 0;
  for (let z = 0; z < EXTENT; z++) {
    for (let y = 0; y < EXTENT; y++) {
      const plane = Math.sin(z / 17) * Math.cos(y / 23);
      for (let x = 0; x < EXTENT; x++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        data[at++] = 100 * (plane + Math.sin(x / 31)) + (state >>> 24) / 256;
      }
    }
  }
  return data;
}

export function directoryOf(base: string, { name }: Workload): string {
  return join(base, name.replaceAll(/[^a-z0-9]+/gi, "-"));
}

/** Writes the data sets that are not there yet. @returns the field, and the workloads whose data there is */
export async function prepareData(
  base: string,
  python: string | undefined,
): Promise<{ readonly data: Float32Array; readonly workloads: readonly Workload[] }> {
  const data = smoothField();
  writeFileSync(join(base, "field.f32"), data);
  const workloads = WORKLOADS.filter(({ byTensorstore }) => byTensorstore !== true || python !== undefined);
  for (const workload of workloads) {
    const directory = directoryOf(base, workload);
    if (existsSync(join(directory, "zarr.json"))) continue;
    rmSync(directory, { recursive: true, force: true });
    if (workload.byTensorstore !== true || python === undefined)
      await writeWorkload(directory, workload, data);
    else {
      const input = {
        kind: "create",
        directory,
        data: join(base, "field.f32"),
        metadata: documentOf(workload),
      };
      execFileSync(python, ["bench/tensorstore_bench.py"], { input: JSON.stringify([input]) });
    }
  }
  return { data, workloads };
}

/** The metadata that TensorStore is to create. */
function documentOf({ chunk, codecs }: Workload): object {
  return {
    shape: SHAPE,
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [chunk, chunk, chunk] } },
    codecs,
    fill_value: 0,
  };
}

export async function writeWorkload(
  directory: string,
  workload: Workload,
  data: Float32Array,
): Promise<void> {
  const { chunk, codecs } = workload;
  const array = await create(new FileSystemStore(directory), {
    shape: SHAPE,
    chunkShape: [chunk, chunk, chunk],
    dtype: "float32",
    codecs,
    overwrite: true,
  });
  await set(array, null, { data, shape: SHAPE });
}
