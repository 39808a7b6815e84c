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
  if (typeof where === "string" || where instanceof URL) return locationAt(String(where));
  const isStore =
    typeof where === "object" && where !== null && ("get" in where || where instanceof Location);
  if (isStore) return toLocation(where);
  throw new InvalidArgumentError(
    `expected a location, a store, a URL or an address of openStore, got ${describe(where)}`,
  );
}

/** The whole store is opened, because the consolidated metadata may be those of its root. */
async function locationAt(where: string): Promise<Location> {
  const { store, path: node } = splitNode(where);
  const { form, place, address, zarrFormat, path, archives } = parseAddress(store);
  const isPlace = zarrFormat === undefined && path === "/" && archives.length === 0;
  const isRemote = place === "url" && isPlace;
  if (isRemote && form === "hierarchy") return new Location(new HttpStore(address), node);
  if (isRemote && form === "virtual")
    return new Location(await (await import("../../stores/virtual/index.js")).openVirtual(address), node);
  // Not a literal: bundlers for pages would look for the modules of Node that the store of files imports, and
  // most pages need no other stores.
  const entry = ["wazarr", "stores", "open-store"].join("/");
  const found: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ entry).catch((cause) => {
    throw new UnsupportedError(
      `expected a store or an http(s) URL, got ${describe(where)}; in a bundle, pass what openLocation of wazarr/stores/open-store opens`,
      { cause },
    );
  });
  const open =
    typeof found === "object" && found !== null && "openLocation" in found ? found.openLocation : "";
  if (typeof open !== "function") throw new UnsupportedError("internal error: no openLocation");
  const { store: whole, path: inside }: Location = await Reflect.apply(open, undefined, [where]);
  // The entry may have another copy of the class.
  return new Location(whole, inside);
}
