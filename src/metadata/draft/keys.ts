/** Keys of a 2020-draft hierarchy ("Storage keys"), the names in its paths, and what a listing of keys says of nodes. */
import { type AbsolutePath, checkDepth, invalidName, namesOf } from "../path.js";

/** The document that makes a store a hierarchy of the draft. */
export const ENTRY_POINT_KEY: AbsolutePath = "/zarr.json";

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
