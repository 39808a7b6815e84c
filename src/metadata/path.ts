/** Node paths and the keys of the documents at them. */
import { InvalidArgumentError } from "../errors.js";
import type { AbsolutePath } from "../stores/store.js";

/**
 * A node's path with one "/" in front and none behind: "a/b/" is "/a/b", "" is "/". Characters are taken as they are: nothing
 * is decoded, and "?", "#", "%" are characters of a name like others.
 * @throws InvalidArgumentError for an empty name ("a//b") or one of periods only, which would leave the hierarchy
 */
export function normalisePath(path: string): AbsolutePath {
  const inner = path.replace(/^\//, "").replace(/\/$/, "");
  if (inner === "") return "/";
  for (const name of inner.split("/")) {
    if (name === "" || /^\.+$/.test(name)) {
      throw new InvalidArgumentError(
        `expected a node path of names separated by single "/", got a name ${JSON.stringify(name)}`,
        { path },
      );
    }
  }
  return `/${inner}`;
}

/** The key (or path) `name` below a node: "/zarr.json", "/a/b/zarr.json", "/a/b/c/0/0". */
export function keyBelow(path: AbsolutePath, name: string): AbsolutePath {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}
