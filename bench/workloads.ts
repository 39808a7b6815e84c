/** The data sets of the end-to-end benchmark, and what is read from them. */
import { existsSync, rmSync } from "node:fs";
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
}

const little = { name: "bytes", configuration: { endian: "little" } };

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

/** Writes the data sets that are not there yet. */
export async function prepareData(base: string, workloads: readonly Workload[]): Promise<Float32Array> {
  const data = smoothField();
  for (const workload of workloads) {
    const directory = directoryOf(base, workload);
    if (existsSync(join(directory, "zarr.json"))) continue;
    rmSync(directory, { recursive: true, force: true });
    await writeWorkload(directory, workload, data);
  }
  return data;
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
