/** The test data: elements to read and write. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type FieldType = "float32" | "uint16" | "uint8";
export type FieldArray = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

export const ITEM_SIZE: Readonly<Record<FieldType, number>> = { float32: 4, uint16: 2, uint8: 1 };

export interface Field {
  readonly data: FieldArray;
  /** File with the same elements in memory order, for other processes. */
  readonly file: string;
}

let last: { readonly name: string; readonly field: Field } | undefined;

/**
 * The elements of an array, in memory and in a file of `folder`. Only the elements of the last call are kept.
 */
export function fieldOf(folder: string, shape: readonly number[], dtype: FieldType): Field {
  const name = nameOf(shape, dtype);
  if (last?.name !== name) {
    const file = join(folder, name);
    const data = smoothField(shape, dtype);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, data);
    last = { name, field: { data, file } };
  }
  return last.field;
}

/** A seeded, smooth field with a little noise, which compresses like scientific data. */
export function smoothField(shape: readonly number[], dtype: FieldType): FieldArray {
  const width = shape.at(-1) ?? 1;
  const rows = shape.slice(0, -1).reduce((product, length) => product * length, 1);
  const data = allocate(dtype, rows * width);
  // Integers from 0 to 240, or from 0 to 8000 with about 4 bits of noise.
  const [offset, scale] = dtype === "float32" ? [0, 1] : [200, dtype === "uint8" ? 0.6 : 20];
  const wave = Float64Array.from({ length: width }, (_, x) => Math.sin(x / 31));
  let state = 12345;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const plane = Math.sin(Math.floor(row / 256) / 17) * Math.cos((row % 256) / 23);
    for (let x = 0; x < width; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[at++] = (100 * (plane + (wave[x] ?? 0)) + (state >>> 24) / 256 + offset) * scale;
    }
  }
  return data;
}

const nameOf = (shape: readonly number[], dtype: FieldType): string => `${dtype}-${shape.join("x")}.raw`;

/** Reads the elements that `fieldOf` made in the parent process. */
export function writtenField(folder: string, shape: readonly number[], dtype: FieldType): FieldArray {
  const bytes = readFileSync(join(folder, nameOf(shape, dtype)));
  const data = allocate(dtype, bytes.byteLength / ITEM_SIZE[dtype]);
  new Uint8Array(data.buffer).set(bytes);
  return data;
}

function allocate(dtype: FieldType, length: number): FieldArray {
  if (dtype === "float32") return new Float32Array(length);
  return dtype === "uint16" ? new Uint16Array(length) : new Uint8Array(length);
}

/** Reproducible random bytes (xorshift32). */
export function randomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  return fillRandom(new Uint8Array(length), seed);
}

export function fillRandom<Bytes extends Uint8Array>(bytes: Bytes, seed: number): Bytes {
  let state = seed | 1;
  for (let i = 0; i < bytes.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}
