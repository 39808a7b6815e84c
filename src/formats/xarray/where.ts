/** The ways in which callers name a data set: a location, a store, or an address. */
import { describe, parseAddress, splitNode, toLocation } from "../../extend.js";
import { HttpStore, InvalidArgumentError, Location, type Store, UnsupportedError } from "../../index.js";

/**
 * A location, a store, an http(s) URL, or any address of `openStore` (a directory, "data.zip", "s3://...",
 * "s3://...|icechunk:"). In a bundle, only an http(s) URL of a hierarchy: pass a store instead of other
 * addresses.
 */
export type Where = Location | Store | URL | string;

/** @throws InvalidArgumentError for anything else, UnsupportedError without `wazarr/stores/open-store` */
export async function locationOf(where: Where): Promise<Location> {
  if (typeof where === "string" || where instanceof URL) {
    // The whole store is opened, because the consolidated metadata may be those of its root.
    const { store, path } = splitNode(String(where));
    return new Location(await storeAt(store), path);
  }
  const isStore =
    typeof where === "object" && where !== null && ("get" in where || where instanceof Location);
  if (isStore) return toLocation(where);
  throw new InvalidArgumentError(
    `expected a location, a store, a URL or an address of openStore, got ${describe(where)}`,
  );
}

async function storeAt(where: string): Promise<Store> {
  const { form, place, address, zarrFormat, path, archives } = parseAddress(where);
  const isPlace = zarrFormat === undefined && path === "/" && archives.length === 0;
  if (place === "url" && form === "hierarchy" && isPlace) return new HttpStore(address);
  if (place === "url" && form === "virtual" && isPlace)
    return (await import("../../stores/virtual/index.js")).openVirtual(address);
  // Not a literal: bundlers for pages would look for the modules of Node that the store of files imports, and
  // most pages need no other stores.
  const entry = ["wazarr", "stores", "open-store"].join("/");
  const found: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ entry).catch((cause) => {
    throw new UnsupportedError(
      `expected a store or an http(s) URL, got ${describe(where)}; in a bundle, pass what openStore of wazarr/stores/open-store opens`,
      { cause },
    );
  });
  const open = typeof found === "object" && found !== null && "openStore" in found ? found.openStore : "";
  if (typeof open !== "function") throw new UnsupportedError("internal error: no openStore");
  return Reflect.apply(open, undefined, [where]);
}
