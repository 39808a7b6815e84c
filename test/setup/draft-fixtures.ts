/** Hierarchies of the 2020 draft in test/fixtures/draft-v3: stores, and what their manifests expect. */
import { readdirSync, readFileSync } from "node:fs";
import { listPrefix } from "../../src/core/stores/capabilities.js";
import type { AbsolutePath, JsonObject } from "../../src/index.js";
import { ZipStore } from "../../src/stores/zip/zip.js";

export interface ExpectedNode {
  readonly type: "array" | "explicit_group" | "implicit_group";
  readonly attributes: JsonObject | null;
  readonly expect?: "ok" | "error" | "fallback" | "lenient";
  readonly shape?: readonly number[] | null;
  readonly chunk_shape?: readonly number[];
  readonly expected?: {
    readonly le_hex?: string;
    readonly flat?: readonly unknown[];
    /** One element of an array too large to list. */
    readonly at?: { readonly index: readonly number[]; readonly value: string };
  };
}
export interface Manifest {
  readonly generator: string;
  readonly expect_open?: "ok" | "error" | "lenient" | "not-this-format";
  readonly nodes: Readonly<Record<AbsolutePath, ExpectedNode>>;
  readonly keys: Readonly<Record<string, { readonly bytes: number }>>;
}

const FOLDER = new URL("../fixtures/draft-v3/", import.meta.url);

/** @param folder where the scripts that make fixtures put them */
export function readFixture(
  name: string,
  folder: URL = FOLDER,
): { readonly manifest: Manifest; readonly store: ZipStore } {
  const manifest: Manifest = JSON.parse(readFileSync(new URL(`${name}.manifest.json`, folder), "utf8"));
  const bytes = readFileSync(new URL(`${name}.zip`, folder));
  return { manifest, store: ZipStore.fromBlob(new Blob([bytes])) };
}

/** A fixture's keys and values, to be changed. */
export async function mapOf(name: string): Promise<Map<AbsolutePath, Uint8Array>> {
  const { store } = readFixture(name);
  const map = new Map<AbsolutePath, Uint8Array>();
  for (const key of await listPrefix(store, "/")) map.set(key, (await store.get(key)) ?? new Uint8Array());
  return map;
}

export function namesIn(folder: URL): readonly string[] {
  return readdirSync(folder)
    .flatMap((file) => /^(.*)\.manifest\.json$/.exec(file)?.[1] ?? [])
    .sort();
}

export const fixtureNames: readonly string[] = namesIn(FOLDER);

/** test/fixtures/draft-v3/store-ops.json. Keys stand there without their leading "/". */
export interface StoreOperations {
  readonly list: readonly {
    readonly keys: readonly string[];
    readonly list_prefix?: Readonly<Record<string, readonly string[]>>;
    readonly list_dir?: Readonly<
      Record<string, { readonly keys: readonly string[]; readonly prefixes: readonly string[] }>
    >;
    readonly children?: Readonly<Record<AbsolutePath, Readonly<Record<string, ExpectedNode["type"]>>>>;
    readonly source: string;
  }[];
  readonly key_valid: Readonly<Record<string, boolean>>;
  readonly erase: readonly {
    readonly before: readonly string[];
    readonly erase: AbsolutePath;
    readonly after: readonly string[];
    readonly gone?: readonly AbsolutePath[];
  }[];
  readonly grid: {
    readonly index_to_identifier: readonly (readonly [readonly number[], string, string])[];
    readonly element_to_chunk: Readonly<Record<string, readonly number[]>>;
  };
  readonly paths: {
    readonly array_meta: Readonly<Record<AbsolutePath, string>>;
    readonly group_meta: Readonly<Record<AbsolutePath, string>>;
    readonly data: readonly (readonly [AbsolutePath, readonly number[], string])[];
  };
}

export function readStoreOperations(): StoreOperations {
  return JSON.parse(readFileSync(new URL("store-ops.json", FOLDER), "utf8"));
}
