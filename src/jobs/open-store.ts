/** Stores by their names, for Node, Bun and Deno: a directory, a .zip, a reference document (.json), an Icechunk repository, or an http(s) URL. */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StoreError } from "../errors.js";
import { FileSystemStore } from "../stores/file-system.js";
import { HttpStore } from "../stores/http.js";
import { IcechunkStore } from "../stores/icechunk.js";
import { type OpenedFile, ReferenceStore } from "../stores/reference.js";
import type { Listable, Readable, Store } from "../stores/store.js";
import { ZipStore } from "../stores/zip.js";

/** What `open` is in the options of plans and tasks, unless given. */
export async function openStore(store: string): Promise<Store> {
  const [, repository] = /^icechunk:(.+)$/.exec(store) ?? [];
  if (repository !== undefined)
    return IcechunkStore.open(isUrl(repository) ? repository : new FileSystemStore(repository));
  if (isUrl(store)) {
    if (/^[^?#]*\.zip(?:[?#]|$)/i.test(store)) return ZipStore.fromUrl(store);
    return /^[^?#]*\.json(?:[?#]|$)/i.test(store) ? ReferenceStore.fromUrl(store) : new HttpStore(store);
  }
  if (await isFile(store, ".json")) return openReferences(store);
  if (await isZip(store)) return openZip(store);
  const directory = new FileSystemStore(store);
  return (await isIcechunk(store)) ? IcechunkStore.open(directory) : directory;
}

/** Its own files, and no hierarchy as it is. */
async function isIcechunk(directory: string): Promise<boolean> {
  const [snapshots, repository, refs] = await Promise.all(
    ["snapshots", "repo", "refs"].map((name) => statOf(join(directory, name))),
  );
  return snapshots?.isDirectory() === true && (repository?.isFile() === true || refs?.isDirectory() === true);
}

export const isUrl = (store: string): boolean => /^https?:\/\//i.test(store);

export const isZip = (store: string): Promise<boolean> => isFile(store, ".zip");

/** Whether a name ends so, and is not that of a directory. */
async function isFile(store: string, ending: string): Promise<boolean> {
  return store.toLowerCase().endsWith(ending) && !((await statOf(store))?.isDirectory() ?? false);
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

/** A document of this machine, which may name files of this machine: relative ones stand beside it. */
async function openReferences(file: string): Promise<ReferenceStore> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(`cannot read the reference document ${file}: ${reason}`, { cause });
  }
  const folder = dirname(resolve(file));
  const open = (address: string): OpenedFile | undefined => {
    const isPath = /^file:/i.test(address) || !/^[a-z][a-z0-9+.-]+:/i.test(address);
    if (!isPath) return undefined;
    const path = /^file:/i.test(address) ? fileURLToPath(address) : resolve(folder, address);
    return { store: new FileSystemStore(dirname(path)), key: `/${basename(path)}` };
  };
  return new ReferenceStore(document, { open });
}
