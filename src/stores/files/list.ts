/** Listing directories as keys and prefixes. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AbsolutePath, DirectoryListing, StoreOptions } from "../store.js";
import { fileError, isMissing } from "./failure.js";
import { isTemporary } from "./write.js";

async function entries(directory: string, prefix: AbsolutePath): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileError("list a directory", prefix, error);
  }
}

/** What an entry is, links followed; undefined for links to nothing, pipes, devices and temporary files. */
async function kindOf(entry: Dirent, directory: string): Promise<"file" | "directory" | undefined> {
  if (isTemporary(entry.name)) return undefined;
  const status = entry.isSymbolicLink()
    ? await stat(join(directory, entry.name)).catch(() => undefined)
    : entry;
  if (status?.isFile()) return "file";
  return status?.isDirectory() ? "directory" : undefined;
}

/** Keys and prefixes directly in a directory. A directory is a prefix even when there is no file anywhere below it. */
export async function listDirectory(directory: string, prefix: AbsolutePath): Promise<DirectoryListing> {
  const keys: AbsolutePath[] = [];
  const prefixes: AbsolutePath[] = [];
  for (const entry of await entries(directory, prefix)) {
    const kind = await kindOf(entry, directory);
    if (kind === "file") keys.push(`${prefix}${entry.name}`);
    else if (kind === "directory") prefixes.push(`${prefix}${entry.name}/`);
  }
  return { keys, prefixes };
}

/** Keys of all files below a directory, as they are found. */
export async function* walk(
  directory: string,
  prefix: AbsolutePath,
  options?: StoreOptions,
  ancestors: readonly string[] = [],
): AsyncGenerator<AbsolutePath, void> {
  options?.signal?.throwIfAborted();
  for (const entry of await entries(directory, prefix)) {
    const kind = await kindOf(entry, directory);
    if (kind === "file") yield `${prefix}${entry.name}`;
    if (kind !== "directory") continue;
    const below = join(directory, entry.name);
    if (!entry.isSymbolicLink()) {
      yield* walk(below, `${prefix}${entry.name}/`, options, ancestors);
      continue;
    }
    // A link to a directory above itself would never end.
    const target = await realpath(below);
    if (ancestors.includes(target) || `${await realpath(directory)}/`.startsWith(`${target}/`)) continue;
    yield* walk(below, `${prefix}${entry.name}/`, options, [...ancestors, target]);
  }
}
