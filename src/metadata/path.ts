/** Node paths, the names in them, and the keys below a node. */
import type { ZarrFormat } from "../data-types/data-type.js";
import { InvalidArgumentError, StoreError } from "../errors.js";

/** A node's path, a key or a prefix, with a leading "/": "/", "/zarr.json", "/group/array/c/0/0". */
export type AbsolutePath = `/${string}`;

/**
 * A node's path with one "/" in front and none behind: "a/b/" is "/a/b", "" is "/". Characters are taken as they are:
 * nothing is decoded, and "?", "#", "%" are characters of a name like others.
 * @throws InvalidArgumentError for an empty name ("a//b") or one of periods only, which could leave the hierarchy
 */
export function normalisePath(path: string): AbsolutePath {
  const inner = path.slice(path.startsWith("/") ? 1 : 0, path.length - (path.endsWith("/") ? 1 : 0));
  if (inner === "") return "/";
  for (const name of inner.split("/")) {
    if (/^\.*$/.test(name)) throw invalidName("a name that is not empty and not of periods only", name, path);
  }
  return `/${inner}`;
}

/** The key (or path) `name` below a node: "/zarr.json", "/a/b/zarr.json", "/a/b/c/0/0". */
export function keyBelow(path: AbsolutePath, name: string): AbsolutePath {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

/** Stands before the keys of an array's chunks: "/a/b/", and in the 2020 draft, which keeps data apart, "/data/root/a/b/". */
export function chunkPrefix(path: AbsolutePath, zarrFormat: ZarrFormat): AbsolutePath {
  return keyBelow(zarrFormat !== "draft" ? path : path === "/" ? "/data/root" : `/data/root${path}`, "");
}

const DOCUMENTS = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];

/**
 * Checks the names of a node that is to be created in v2 or v3; existing ones are read whatever they are called, as
 * xarray for one uses names that v3 reserves.
 * @param path normalised
 * @throws InvalidArgumentError for a name that the format forbids, or that would hide a metadata document
 */
export function checkNewPath(path: AbsolutePath, zarrFormat: 2 | 3): void {
  for (const name of namesOf(path)) {
    if (DOCUMENTS.includes(name)) throw invalidName("a name other than a metadata document's", name, path);
    // v3 core specification, "Node names".
    if (zarrFormat === 3 && name.startsWith("__")) {
      throw invalidName('a name without the reserved prefix "__"', name, path);
    }
  }
}

/** The names in a normalised path; none for the root. */
export function namesOf(path: AbsolutePath): readonly string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** The paths above a normalised one, from the root down; none for the root. */
export function ancestorsOf(path: AbsolutePath): readonly AbsolutePath[] {
  return namesOf(path).map((_, depth, names): AbsolutePath => `/${names.slice(0, depth).join("/")}`);
}

/** Names in a path that is listed. Hierarchies have a few; without an end, whoever makes up a listing decides how long it takes. */
const MOST_NAMES = 512;

/** Before what is below a path is listed, or taken from a listing. @throws StoreError for a path of too many names */
export function checkDepth(path: string): void {
  let names = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) names++;
  if (names <= MOST_NAMES) return;
  throw new StoreError(
    `expected paths of at most ${MOST_NAMES} names, got more; a link or a store that leads into itself may be why: open what is below by its path`,
    { key: `${path.slice(0, 100)}...` },
  );
}

export function invalidName(expected: string, name: string, path: string): InvalidArgumentError {
  return new InvalidArgumentError(`expected ${expected}, got ${JSON.stringify(name)}`, { path });
}
