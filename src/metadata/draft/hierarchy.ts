/**
 * Hierarchies of the 2020 draft: the entry point (`zarr.json`, at the root of the store only) with the extensions that it names, the keys of
 * documents ("Storage keys"), the names in paths, and what a listing of keys says of nodes.
 */
import type { ErrorContext, InvalidMetadataError } from "../../errors.js";
import type { Json, JsonObject } from "../json.js";
import { Member } from "../member.js";
import { type AbsolutePath, checkDepth, invalidName, namesOf } from "../path.js";
import { type DraftExtension, draftExtensions, PROTOCOL } from "../v3.js";

/** The document that makes a store a hierarchy of the draft. */
export const ENTRY_POINT_KEY: AbsolutePath = "/zarr.json";

/** The settings of a whole hierarchy. */
export interface DraftEntryPoint {
  /** Ends every metadata key: ".json". */
  readonly metadataKeySuffix: string;
  readonly extensions: readonly JsonObject[];
}

const VERSION = "3.0";

/**
 * Reads the entry point. Names that it does not define are ignored, as those of a later 3.x have to be.
 * @throws InvalidMetadataError for another major version or metadata encoding, and for an extension that must be understood
 */
export function parseDraftEntryPoint(json: Json, context: ErrorContext = {}): DraftEntryPoint {
  const document = new Member(json, context);
  checkProtocol(document.get("zarr_format"));
  // The members below "must" be there; all but acquire's writers write them, and each has an obvious default.
  const encoding = document.get("metadata_encoding");
  if (!encoding.isNull) checkProtocol(encoding);
  const suffix = document.get("metadata_key_suffix");
  return {
    metadataKeySuffix: suffix.isNull ? ".json" : checkSuffix(suffix),
    extensions: parseDraftExtensions(document.get("extensions")),
  };
}

/** "3" is the major version and the digits after it the minor one, of which any is compatible. */
function checkProtocol(member: Member): void {
  const uri = member.string();
  if (!uri.startsWith(PROTOCOL) || !/^3\.\d+$/.test(uri.slice(PROTOCOL.length))) {
    throw member.invalid(`"${PROTOCOL}3.N"`);
  }
}

/** Characters of a key; without "/", which would make documents look like nodes below others. */
function checkSuffix(member: Member): string {
  const suffix = member.string();
  if (/^[\w.-]*$/.test(suffix)) return suffix;
  throw member.invalid("characters of a-z, A-Z, 0-9, -, _, .");
}

/** The four members that every reader needs; zarr-python refuses any other. */
export function writeDraftEntryPoint(entryPoint: DraftEntryPoint): JsonObject {
  return {
    zarr_format: PROTOCOL + VERSION,
    metadata_encoding: PROTOCOL + VERSION,
    metadata_key_suffix: entryPoint.metadataKeySuffix,
    extensions: entryPoint.extensions,
  };
}

/**
 * Reads an `extensions` list, which writers leave out now and then.
 * @throws InvalidMetadataError for an extension that must be understood and is not
 */
export function parseDraftExtensions(member: Member): readonly JsonObject[] {
  if (member.isNull) return [];
  return member.list().map((item) => {
    const extension = item.get("extension");
    const isKnown = draftExtensions.has(extension.string());
    if (item.get("must_understand").oneOf(true, false) && !isKnown) throw unknownExtension(extension);
    return item.object();
  });
}

/** The extension of an object with the names `extension` and `type`, if it is known. */
export function extensionOf(member: Member): DraftExtension | undefined {
  const type = member.get("type");
  const extension = draftExtensions.get(member.get("extension").string());
  if (type.json === undefined) throw type.invalid("what the extension defines");
  return extension;
}

export function unknownExtension(extension: Member): InvalidMetadataError {
  return extension.invalid(
    "an extension that is known, as it must be understood (draftExtensions adds some)",
  );
}

export type DraftNodeType = "array" | "group" | "implicit_group";

/** A node, as far as keys tell. */
export interface DraftNode {
  readonly path: AbsolutePath;
  readonly nodeType: DraftNodeType;
}

/** The document of an array or group: "/meta/root/a/b.array.json", and "/meta/root.array.json" for the root. */
export function draftDocumentKey(
  path: AbsolutePath,
  nodeType: "array" | "group",
  suffix: string,
): AbsolutePath {
  return `${metaRoot(path)}.${nodeType}${suffix}`;
}

/** Stands before the keys of all documents below a node: "/meta/root/a/b/". */
export function draftDocumentPrefix(path: AbsolutePath): AbsolutePath {
  return `${metaRoot(path)}/`;
}

function metaRoot(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/meta/root" : `/meta/root${path}`;
}

/** The node whose document a key names; undefined for a key that names none. */
export function draftNodeOfKey(
  key: string,
  suffix: string,
): (DraftNode & { readonly nodeType: "array" | "group" }) | undefined {
  if (!key.startsWith("/meta/root")) return undefined;
  for (const nodeType of ["array", "group"] as const) {
    const end = `.${nodeType}${suffix}`;
    const inner = key.slice("/meta/root".length, -end.length);
    // Not a name of "" in "/meta/root/.array.json", nor what begins like the root in "/meta/rootx.array.json".
    if (key.endsWith(end) && (inner === "" || /^\/.*[^/]$/.test(inner))) {
      return { path: inner === "" ? "/" : `/${inner.slice(1)}`, nodeType };
    }
  }
  return undefined;
}

/**
 * The children that a listing of `draftDocumentPrefix` shows, by name. An array's document decides over a group's, as
 * both are tried in that order, and any document over a prefix, which alone stands for an implicit group. What has a name that
 * no node can have is passed over.
 */
export function draftChildren(
  listing: { readonly keys: readonly AbsolutePath[]; readonly prefixes: readonly AbsolutePath[] },
  suffix: string,
): ReadonlyMap<string, DraftNodeType> {
  const children = new Map<string, DraftNodeType>();
  for (const prefix of listing.prefixes) children.set(lastName(prefix.slice(0, -1)), "implicit_group");
  for (const key of listing.keys) {
    const node = draftNodeOfKey(key, suffix);
    if (node === undefined) continue;
    const name = lastName(node.path);
    if (children.get(name) !== "array") children.set(name, node.nodeType);
  }
  return new Map([...children].filter(([name]) => isDraftName(name)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * All nodes below a path, out of all keys below its `draftDocumentPrefix`: what going from child to child would find, each
 * node before those below it, siblings by name.
 */
export function draftNodesBelow(
  keys: readonly AbsolutePath[],
  path: AbsolutePath,
  suffix: string,
): readonly DraftNode[] {
  const found = new Map<AbsolutePath, DraftNodeType>();
  for (const each of keys) {
    checkDepth(each);
    // An empty name is none: of such a key only what stands before it is a path.
    const key = upTo(each, each.indexOf("//") + 1);
    const node = draftNodeOfKey(key, suffix);
    if (node !== undefined && found.get(node.path) !== "array") found.set(node.path, node.nodeType);
    let parent = parentOf(node?.path ?? pathInMeta(key));
    // Once one is known, so are those above it.
    for (; parent !== path && !found.has(parent); parent = parentOf(parent)) {
      found.set(parent, "implicit_group");
    }
  }
  const sorted = [...found].sort(([a], [b]) => (inTreeOrder(a) < inTreeOrder(b) ? -1 : 1));
  const nodes: DraftNode[] = [];
  let hidden = "";
  for (const [path, nodeType] of sorted) {
    if (hidden !== "" && path.startsWith(hidden)) continue;
    const isNode = isDraftName(lastName(path));
    if (isNode) nodes.push({ path, nodeType });
    // Arrays have no children.
    if (!isNode || nodeType === "array") hidden = `${path}/`;
  }
  return nodes;
}

/** "/" before all characters of names. */
function inTreeOrder(path: string): string {
  return path.replaceAll("/", "\0");
}

function upTo(key: AbsolutePath, end: number): AbsolutePath {
  return end === 0 ? key : `/${key.slice(1, end)}`;
}

function pathInMeta(key: AbsolutePath): AbsolutePath {
  return `/${key.slice("/meta/root/".length)}`;
}

function parentOf(path: AbsolutePath): AbsolutePath {
  return `/${path.slice(1, Math.max(1, path.lastIndexOf("/")))}`;
}

/**
 * Checks the names in a path, to open or to create ("Node names"). The dot is allowed: the text's "-_." lists it.
 * @param path normalised
 * @throws InvalidArgumentError
 */
export function checkDraftPath(path: AbsolutePath): void {
  const wrong = namesOf(path).find((name) => !isDraftName(name));
  if (wrong === undefined) return;
  throw invalidName("1 to 255 characters of a-z, A-Z, 0-9, -, _, . that are not all periods", wrong, path);
}

function isDraftName(name: string): boolean {
  return /^[\w.-]{1,255}$/.test(name) && !/^\.+$/.test(name);
}

/**
 * `checkDraftPath` for a node that is to be created: in a file system, the folder of a node "a.array.json" would be the
 * document of the array "a".
 * @throws InvalidArgumentError
 */
export function checkNewDraftPath(path: AbsolutePath, suffix: string): void {
  checkDraftPath(path);
  const ends = [`.array${suffix}`, `.group${suffix}`];
  for (const name of namesOf(path)) {
    if (ends.some((end) => name.endsWith(end)))
      throw invalidName(`a name that ends in neither ${ends.join(" nor ")}`, name, path);
  }
}
