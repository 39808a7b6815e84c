/** Node paths, the names in them, and the keys below a node. */

import { InvalidArgumentError, StoreError } from "../base/errors.js";
import type { ZarrFormat } from "../data-types/data-type.js";

/** A node's path, a key or a prefix, with a leading "/": "/", "/zarr.json", "/group/array/c/0/0". */
export type AbsolutePath = `/${string}`;

/**
 * A node's path with a leading "/" and no trailing one: "a/b/" becomes "/a/b", "" becomes "/". Nothing is
 * decoded: "?", "#" and "%" are ordinary characters of names.
 * @throws InvalidArgumentError for an empty name ("a//b") or one of only periods, which could leave the
 * hierarchy
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

/**
 * The key prefix of an array's chunks: "/a/b/", and "/data/root/a/b/" in the 2020 draft, which separates data
 * from documents.
 */
export function chunkPrefix(path: AbsolutePath, zarrFormat: ZarrFormat): AbsolutePath {
  return keyBelow(zarrFormat !== "draft" ? path : path === "/" ? "/data/root" : `/data/root${path}`, "");
}

const DOCUMENTS = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];

/**
 * Checks the names in the path of a new v2 or v3 node. Existing nodes are read under any name, because
 * xarray, for example, uses names that v3 reserves.
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

/**
 * Maximum number of names in a listed path. Real paths have a few; without a limit, a malicious listing could
 * go on for ever.
 */
const MOST_NAMES = 512;

/**
 * Call it before listing below a path, and for paths from a listing.
 * @throws StoreError for a path of too many names
 */
export function checkDepth(path: string): void {
  let names = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) names++;
  if (names <= MOST_NAMES) return;
  throw new StoreError(
    `expected paths of at most ${MOST_NAMES} names, got more: a link or a store may lead into itself; open the nodes below by their path`,
    { key: `${path.slice(0, 100)}...` },
  );
}

export function invalidName(expected: string, name: string, path: string): InvalidArgumentError {
  return new InvalidArgumentError(`expected ${expected}, got ${JSON.stringify(name)}`, { path });
}
