/** The ways in which callers name a data set: a location, a store, a URL, or the path of a directory. */
import { describe, toLocation } from "../extend.js";
import { HttpStore, InvalidArgumentError, Location, type Store, UnsupportedError } from "../index.js";

/** A location, a store, an http(s) URL, or, in Node, Bun and Deno, the path of a directory or a file: URL. */
export type Where = Location | Store | URL | string;

/** @throws InvalidArgumentError for anything else, UnsupportedError for a path in a runtime without files */
export async function locationOf(where: Where): Promise<Location> {
  if (typeof where === "string" || where instanceof URL) return new Location(await storeAt(where));
  const isStore =
    typeof where === "object" && where !== null && ("get" in where || where instanceof Location);
  if (isStore) return toLocation(where);
  throw new InvalidArgumentError(
    `expected a location, a store, a URL or the path of a directory, got ${describe(where)}`,
  );
}

async function storeAt(where: URL | string): Promise<Store> {
  const text = String(where);
  if (/^https?:\/\//i.test(text)) return new HttpStore(text);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text))
    throw new InvalidArgumentError(
      `expected an http(s) URL or the path of a directory, got ${describe(text)}; openStore of wazarr/stores/open-store opens buckets and archives`,
    );
  // Not a literal: bundlers for pages would look for the modules of Node that the store of files imports.
  const entry = ["wazarr", "stores", "file-system"].join("/");
  const found: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ entry).catch((cause) => {
    throw new UnsupportedError(
      `expected a store or an http(s) URL, got ${describe(text)}; paths work in Node, Bun and Deno, and in a bundle as new FileSystemStore(path) of wazarr/stores/file-system`,
      { cause },
    );
  });
  const Class =
    typeof found === "object" && found !== null && "FileSystemStore" in found
      ? found.FileSystemStore
      : undefined;
  if (typeof Class !== "function") throw new UnsupportedError("internal error: no FileSystemStore");
  return Reflect.construct(Class, [/^file:/i.test(text) ? new URL(text) : text]);
}
