/**
 * Mutations of each kind of file of an Icechunk repository. Whatever such a file says, all that a store
 * offers either works or fails with an error of wazarr.
 */

import type { AbsolutePath } from "../../src/core/stores/store.js";
import { isZarrError } from "../../src/index.js";
import { decompressZstd } from "../../src/stores/icechunk/files.js";
import { IcechunkStore } from "../../src/stores/icechunk/icechunk.js";
import { type CASES, filesOf } from "../setup/icechunk-fixtures.js";
import { mutate, random } from "./mutate.js";

export interface IcechunkFile {
  readonly name: string;
  readonly repositories: readonly (keyof typeof CASES)[];
  readonly keys: RegExp;
  /** Default: mutated as they are uncompressed, but for one in eight. */
  readonly isPlain?: boolean;
}

export const ICECHUNK_FILES: readonly IcechunkFile[] = [
  { name: "repo", repositories: ["history 2", "containers 2", "moved 2"], keys: /^\/repo$/ },
  { name: "ref.json", repositories: ["history 1"], keys: /^\/refs\//, isPlain: true },
  { name: "config.yaml", repositories: ["containers 1"], keys: /^\/config\.yaml$/, isPlain: true },
  { name: "snapshot of format 1", repositories: ["history 1"], keys: /^\/snapshots\// },
  { name: "snapshot", repositories: ["moved 2", "split 2", "containers 2"], keys: /^\/snapshots\// },
  { name: "manifest of format 1", repositories: ["history 1"], keys: /^\/manifests\// },
  { name: "manifest", repositories: ["checksums 2", "containers 2", "split 2"], keys: /^\/manifests\// },
  { name: "manifest with a dictionary", repositories: ["virtual-1000 2"], keys: /^\/manifests\// },
];

export interface IcechunkResult {
  readonly inputs: number;
  /** Inputs of which everything could still be read. */
  readonly accepted: number;
}

const HEADER_LENGTH = 39;
const MOST_READS = 12;

type Files = ReadonlyMap<AbsolutePath, Uint8Array>;

/** @throws Error with the input in base64 at the first one that fails with another error than wazarr's */
export async function fuzzIcechunk(
  { name, repositories, keys, isPlain = false }: IcechunkFile,
  inputs: number,
  seed: number,
): Promise<IcechunkResult> {
  const next = random(seed);
  const targets: { files: Files; key: AbsolutePath; bytes: Uint8Array }[] = [];
  for (const repository of repositories) {
    const files = filesOf(repository);
    for (const [key, bytes] of files) {
      if (!keys.test(key)) continue;
      targets.push({ files, key, bytes });
      if (isPlain) continue;
      const uncompressed = await withoutCompression(bytes);
      for (let i = 0; i < 7; i++) targets.push({ files, key, bytes: uncompressed });
    }
  }
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let accepted = 0;
  try {
    for (let i = 0; i < inputs; i++) {
      const { files, key, bytes } = pick(targets, next);
      const other = pick(targets, next).bytes;
      // Flatbuffers are all positions: half of the inputs keep theirs.
      const input = next(2) === 0 ? changed(bytes, next) : mutate(bytes, other, next);
      try {
        await readEverything(new Map([...files, [key, input]]), next);
        accepted++;
      } catch (error) {
        if (isZarrError(error)) continue;
        throw new Error(
          `${name}, seed ${seed}, input ${i}: ${error}: ${btoa(String.fromCharCode(...input))}`,
          {
            cause: error,
          },
        );
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { inputs, accepted };
}

async function withoutCompression(file: Uint8Array): Promise<Uint8Array> {
  const payload = await decompressZstd(file.subarray(HEADER_LENGTH), 1 << 24);
  const plain = new Uint8Array(HEADER_LENGTH + payload.length);
  // The last byte of the header says that the payload is not compressed.
  plain.set(file.subarray(0, HEADER_LENGTH - 1));
  plain.set(payload, HEADER_LENGTH);
  return plain;
}

/** A copy with one to four other bytes. */
function changed(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = bytes.slice();
  for (let count = 1 + next(4); count > 0; count--)
    copy[next(copy.length)] = next(3) === 0 ? next(4) : next(256);
  return copy;
}

const FILE = new Map([["/file", new Uint8Array(2000)]] as const);

async function readEverything(
  files: Map<AbsolutePath, Uint8Array>,
  next: (below: number) => number,
): Promise<void> {
  const isOpened = next(2) === 0;
  const store = await IcechunkStore.open(files, {
    fetch: async () => new Response(new Uint8Array(8), { status: 206 }),
    ...(isOpened && { open: () => ({ store: FILE, key: "/file" }) }),
    ...(next(4) === 0 && { asOf: new Date(2026, next(24)) }),
    retry: false,
  });
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
      if (!isZarrError(error)) throw error;
    }
  };
  await attempt(() => store.branches());
  await attempt(() => store.tags());
  await attempt(async () => {
    for await (const { time } of store.history()) time.getTime();
  });
  await attempt(async () => {
    const keys = await store.list();
    for (let i = 0; i < MOST_READS && keys.length > 0; i++)
      await attempt(() => store.get(pick(keys, next), { maximumBytes: 1 << 20 }));
  });
  // One of them stands for all: each is of wazarr.
  if (failures.length > 0) throw failures[0];
}

function pick<Item>(list: readonly Item[], next: (below: number) => number): Item {
  const item = list[next(list.length)];
  if (item === undefined) throw new Error("expected something to choose from");
  return item;
}
