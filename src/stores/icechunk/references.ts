/** Icechunk's references: which snapshot a branch or tag is at. */
import { NotFoundError, StoreError } from "../../errors.js";
import { isJsonObject } from "../../metadata/json.js";
import { checkBytes } from "../check-store.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { ID_LENGTH, nameOfId, readTable } from "./files.js";
import { required, type Table } from "./flatbuffer.js";

/** Largest ref.json in bytes. It has only one id. */
const LONGEST_REFERENCE = 1 << 20;

/** The revision to read: a branch, a tag or a snapshot. Default: the branch "main". */
export interface Revision {
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  /** The id of the snapshot, which is its file name: 20 letters and digits. */
  readonly snapshot?: string | undefined;
}

/**
 * @returns the id of a revision's snapshot
 * @throws NotFoundError when the repository, branch or tag does not exist
 */
export async function findSnapshot(
  store: Readable,
  { branch, tag, snapshot }: Revision,
  options?: StoreOptions,
): Promise<string> {
  if (snapshot !== undefined) return snapshot;
  const name = tag ?? branch ?? "main";
  const kind = tag === undefined ? "branch" : "tag";
  // Version 2 stores all references in one file, version 1 stores a file for each. The version is unknown
  // here, so request both.
  const read = async (key: AbsolutePath) =>
    checkBytes(await store.get(key, { ...options, maximumBytes: LONGEST_REFERENCE }), key);
  const [known, reference, deleted] = await Promise.all([
    readTable(store, "/repo", "repository", options, (table) => refOf(table, kind, name)),
    read(`/refs/${kind}.${storedName(name)}/ref.json`),
    kind === "tag" ? read(`/refs/tag.${storedName(name)}/ref.json.deleted`) : undefined,
  ]);
  const id = known?.id ?? (known || deleted || !reference ? undefined : idInReference(reference));
  if (id !== undefined) return id;
  const hint = known && `; there are ${known.names.slice(0, 20).join(", ") || "none"}`;
  throw new NotFoundError(`no ${kind} "${name}" of an Icechunk repository here${hint ?? ""}`);
}

/** The name in keys of version 1: percent-encoded as by the Rust crate object_store, which keeps spaces. */
function storedName(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => {
    const character = String.fromCharCode(byte);
    const isKept = byte >= 0x20 && byte < 0x7f && !'/\\{^}%`]">[~<#|*?'.includes(character);
    return isKept ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
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
