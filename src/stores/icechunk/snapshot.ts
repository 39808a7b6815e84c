/** Snapshots: every node of the hierarchy at one commit; and how branches and tags lead to them. */
import { NotFoundError, StoreError } from "../../errors.js";
import { isJsonObject } from "../../metadata/json.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { nameOfId, readTable } from "./files.js";
import { OutOfBounds, type Table } from "./flatbuffers.js";

const ID_LENGTH = 12;
const NODE_ID_LENGTH = 8;
/** Members of the union of a node's data. */
const ARRAY = 1;

export interface Node {
  readonly id: Uint8Array;
  readonly path: AbsolutePath;
  /** The node's zarr.json. */
  readonly document: Uint8Array;
  /** Undefined for a group. */
  readonly array: { readonly rank: number; readonly manifests: readonly ManifestRef[] } | undefined;
}

/** A manifest, and which chunks of the array it has: by dimension, from the first index to before the last. */
export interface ManifestRef {
  readonly id: string;
  readonly extents: readonly (readonly [from: number, to: number])[];
}

/** Where a repository is read: one of these, the branch "main" unless given. */
export interface Revision {
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  /** As its file is called: 20 letters and digits. */
  readonly snapshot?: string | undefined;
}

/** @throws NotFoundError where there is no repository, or no such branch, tag or snapshot */
export async function findSnapshot(
  store: Readable,
  { branch, tag, snapshot }: Revision,
  options?: StoreOptions,
): Promise<string> {
  if (snapshot !== undefined) return snapshot;
  const name = tag ?? branch ?? "main";
  const kind = tag === undefined ? "branch" : "tag";
  // Version 2 has all of them in one file, version 1 a file for each. Which it is, nobody has said.
  const [known, reference, deleted] = await Promise.all([
    readTable(store, "/repo", "repository", options, (table) => refOf(table, kind, name)),
    store.get(`/refs/${kind}.${name}/ref.json`, options),
    kind === "tag" ? store.get(`/refs/tag.${name}/ref.json.deleted`, options) : undefined,
  ]);
  const id = known?.id ?? (known || deleted || !reference ? undefined : idInReference(reference));
  if (id !== undefined) return id;
  const hint = known && `; there are ${known.names.slice(0, 20).join(", ") || "none"}`;
  throw new NotFoundError(`no ${kind} "${name}" of an Icechunk repository here${hint ?? ""}`);
}

function refOf(repository: Table, kind: "branch" | "tag", wanted: string): { id?: string; names: string[] } {
  const refs = repository.tables(kind === "tag" ? 1 : 2);
  const names: string[] = [];
  for (let i = 0; i < refs.length; i++) {
    const ref = refs.at(i);
    const name = ref.text(0) ?? "";
    names.push(name);
    if (name !== wanted) continue;
    return { id: nameOfId(required(repository.tables(4).at(ref.uint32(1)).struct(0, ID_LENGTH))), names };
  }
  return { names };
}

function idInReference(bytes: Uint8Array): string {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new StoreError("a damaged reference of an Icechunk repository: expected JSON", { cause });
  }
  if (isJsonObject(json) && typeof json.snapshot === "string") return json.snapshot;
  throw new StoreError('a damaged reference of an Icechunk repository: expected {"snapshot": ...}');
}

/** @throws NotFoundError, StoreError */
export async function readSnapshot(
  store: Readable,
  id: string,
  options?: StoreOptions,
): Promise<readonly Node[]> {
  const nodes = await readTable(store, `/snapshots/${id}`, "snapshot", options, (table) => {
    const list = table.tables(2);
    return Array.from({ length: list.length }, (_, i) => nodeOf(list.at(i)));
  });
  if (nodes !== undefined) return nodes;
  throw new NotFoundError(`no snapshot "${id}" of an Icechunk repository here`);
}

function nodeOf(table: Table): Node {
  const path = required(table.text(1));
  if (!isPath(path)) throw new OutOfBounds(`a path ${JSON.stringify(path)}`);
  const data = required(table.table(4));
  return {
    id: required(table.struct(0, NODE_ID_LENGTH)),
    path,
    document: required(table.bytes(2)),
    array: table.uint8(3) === ARRAY ? arrayOf(data) : undefined,
  };
}

function arrayOf(data: Table): NonNullable<Node["array"]> {
  const manifests = data.tables(2);
  return {
    // Version 2 has other entries, and leaves the first list empty.
    rank: Math.max(data.structs(0, 16).length, data.tables(3).length),
    manifests: Array.from({ length: manifests.length }, (_, i) => {
      const extents = manifests.at(i).structs(1, 8);
      return {
        id: nameOfId(required(manifests.at(i).struct(0, ID_LENGTH))),
        extents: Array.from({ length: extents.length }, (_, d) => {
          const view = new DataView(extents.at(d).slice().buffer);
          return [view.getUint32(0, true), view.getUint32(4, true)] as const;
        }),
      };
    }),
  };
}

const isPath = (path: string): path is AbsolutePath => path.startsWith("/");

export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new OutOfBounds("a member is missing");
  return value;
}
