/** Stores by their names, for Node, Bun and Deno: a directory, a .zip, or an http(s) URL. */
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { FileSystemStore } from "../stores/file-system.js";
import { HttpStore } from "../stores/http.js";
import type { Listable, Readable, Store } from "../stores/store.js";
import { ZipStore } from "../stores/zip.js";

/** What `open` is in the options of plans and tasks, unless given. */
export async function openStore(store: string): Promise<Store> {
  if (isUrl(store)) {
    return /^[^?#]*\.zip(?:[?#]|$)/i.test(store) ? ZipStore.fromUrl(store) : new HttpStore(store);
  }
  return (await isZip(store)) ? openZip(store) : new FileSystemStore(store);
}

export const isUrl = (store: string): boolean => /^https?:\/\//i.test(store);

export async function isZip(store: string): Promise<boolean> {
  return /\.zip$/i.test(store) && !((await statOf(store))?.isDirectory() ?? false);
}

export async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    return undefined;
  }
}

export function openZip(file: string): Readable & Listable {
  const path = resolve(file);
  return new ZipStore(new FileSystemStore(dirname(path)), `/${basename(path)}`);
}
