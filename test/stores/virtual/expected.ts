/** Compares what `openVirtual` reads of a file with what another implementation read of it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { get, open, root } from "../../../src/index.js";
import { openVirtual } from "../../../src/stores/virtual/index.js";

/**
 * What the oracle says of one dataset: its elements as bytes (little-endian, C order), their hash, or
 * strings.
 */
export interface Expected {
  readonly shape: readonly number[];
  readonly bytes?: string;
  readonly sha256?: string;
  readonly text?: readonly string[];
}

export const fileStore = (path: string) => {
  const bytes = new Uint8Array(readFileSync(path));
  return openVirtual({
    size: bytes.length,
    read: ({ offset, length }) => bytes.subarray(offset, offset + length),
  });
};

/** The names of datasets that are read in another way than expected, with what was wrong. */
export async function differences(path: string): Promise<Record<string, string>> {
  const expected: Record<string, Expected> = JSON.parse(
    readFileSync(path.replace(/\.\w+$/, ".json"), "utf8"),
  );
  const store = await fileStore(path);
  const wrong: Record<string, string> = {};
  for (const [name, each] of Object.entries(expected)) {
    try {
      const found = await read(store, name);
      const want = { shape: each.shape, bytes: each.bytes, sha256: each.sha256, text: each.text };
      const got = {
        shape: found.shape,
        bytes: each.bytes === undefined ? undefined : Buffer.from(found.bytes).toString("base64"),
        sha256:
          each.sha256 === undefined ? undefined : createHash("sha256").update(found.bytes).digest("hex"),
        text: each.text === undefined ? undefined : found.text,
      };
      if (JSON.stringify(got) !== JSON.stringify(want))
        wrong[name] =
          `expected ${JSON.stringify(want).slice(0, 400)}, got ${JSON.stringify(got).slice(0, 400)}`;
    } catch (error) {
      wrong[name] = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
  return wrong;
}

type Opened = Awaited<ReturnType<typeof fileStore>>;

export async function read(store: Opened, name: string) {
  const array = await open(root(store).resolve(name), { kind: "array" });
  if (array.shape.length === 0) {
    const value: unknown = await get(array);
    const bytes = new Uint8Array(array.dataType.itemSize);
    if (array.dataType.itemSize > 0)
      Reflect.apply(array.dataType.writeScalar, array.dataType, [value, bytes]);
    return { shape: [], bytes, text: [String(value)] };
  }
  const { data, shape }: { data: unknown; shape: readonly number[] } = await get(array);
  return { shape, bytes: bytesOf(data), text: textsOf(data) };
}

function bytesOf(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === "object" && data !== null && "bytes" in data && data.bytes instanceof Uint8Array)
    return data.bytes;
  return new Uint8Array(0);
}

function textsOf(data: unknown): string[] {
  if (typeof data !== "object" || data === null || !(Symbol.iterator in data)) return [];
  return Array.from(data as Iterable<unknown>, String);
}
