/** Changes archives, which have no place for changes: their values are packed again. Node, Bun and Deno. */
import { renameSync } from "node:fs";
import { mkdtemp, open as openFile, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { invalid, listPrefix, type Store, type WritableStore } from "../../core/for-stores.js";
import { lockFile } from "../../core/for-stores-in-node.js";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import { statOf } from "../addresses/local-addresses.js";
import { packZip, ZipStore } from "./zip.js";

/**
 * Changes a .zip, or makes a new one. Its values are copied to a temporary directory beside it, `change`
 * writes there, and the directory is packed into an archive that replaces the old one. If anything fails, the
 * old one stays. Others that rewrite it wait meanwhile.
 * @throws what `change` throws, StoreError
 */
export async function rewriteZip(
  path: string,
  change: (store: WritableStore) => Promise<void>,
): Promise<void> {
  if (typeof path !== "string") throw invalid("rewriteZip: path", "a string", path);
  if (typeof change !== "function") throw invalid("rewriteZip: change", "a function", change);
  const file = resolve(path);
  const lock = await lockFile(file, file);
  try {
    await rewrite(file, change, () => lock.check(file));
  } finally {
    await lock.unlock();
  }
}

/** @param check called immediately before the archive is replaced */
async function rewrite(
  file: string,
  change: (store: WritableStore) => Promise<void>,
  check: () => void,
): Promise<void> {
  const prefix = `.${basename(file)}.wazarr-`;
  // Nobody else rewrites the archive now, so these are of writers that died. The name ends in six characters
  // of `mkdtemp`.
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(prefix) && name.length === prefix.length + 6)
      await rm(join(dirname(file), name), { recursive: true, force: true });
  const folder = await mkdtemp(join(dirname(file), prefix));
  try {
    const unpacked = new FileSystemStore(join(folder, "store"));
    if ((await statOf(file)) !== undefined)
      await copyValues(new ZipStore(new FileSystemStore(dirname(file)), `/${basename(file)}`), unpacked);
    await change(unpacked);
    const packed = join(folder, "packed");
    const output = await openFile(packed, "w");
    try {
      for await (const bytes of packZip(unpacked)) await output.writeFile(bytes);
      await output.sync();
    } finally {
      await output.close();
    }
    check();
    renameSync(packed, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyValues(from: Store, to: FileSystemStore): Promise<void> {
  for (const key of await listPrefix(from, "/")) {
    const value = await from.get(key);
    if (value !== undefined) await to.set(key, value);
  }
}
