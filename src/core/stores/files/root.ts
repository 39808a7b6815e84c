/** The directory of a FileSystemStore: what names it, and what to say if no node is found in it. */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, didYouMean, InvalidArgumentError, UnsupportedError } from "../../../base/errors.js";

/**
 * Returns the absolute path of a directory that is given as a path or a `file:` URL.
 * @throws InvalidArgumentError for another kind of URL, an empty path, and a zip, HDF5 or NetCDF file
 */
export function rootOf(root: unknown): string {
  if (typeof statSync !== "function") {
    throw new UnsupportedError(
      "FileSystemStore needs the file system of Node, Bun or Deno: in a browser use HttpStore, ZipStore, or a directory that the user picks (docs/stores.md)",
    );
  }
  const path = pathOf(root);
  // Only a file is refused: a directory may have such an extension too.
  const [, extension] = /\.(zip|ozx|h5|hdf5|nc)$/i.exec(path) ?? [];
  if (extension === undefined || kindOf(path) !== "file") return path;
  const advice = /zip|ozx/i.test(extension)
    ? `an archive: ZipStore of wazarr/stores/zip reads it, new ZipStore(new FileSystemStore(folder), "/name.${extension}")`
    : "a file of HDF5 or NetCDF, which is another format than Zarr: convert it, with xarray's to_zarr for one";
  throw new InvalidArgumentError(`expected a directory, got ${JSON.stringify(path)}, ${advice}`);
}

function pathOf(root: unknown): string {
  const text = root instanceof URL ? root.href : root;
  if (typeof text === "string" && /^file:\/\//i.test(text)) return resolve(pathOfFileUrl(text));
  // Refuse other URLs: as a path, one would name a directory "https:" in the current directory.
  if (typeof text === "string" && text !== "" && !/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return resolve(text);
  throw new InvalidArgumentError(
    `expected the path of a directory or its file: URL, got ${describe(text)}; HttpStore takes http(s) URLs`,
  );
}

/** @throws InvalidArgumentError for a URL of another machine's files, and for an encoded "/" */
export function pathOfFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidArgumentError(`not a path of this machine: ${JSON.stringify(url)}: ${reason}`, {
      cause,
    });
  }
}

/** Why a directory has no node, if that is plain; otherwise "". */
export function adviceForRoot(root: string): string {
  const kind = kindOf(root);
  if (kind === "file") return "that is a file";
  if (kind !== undefined) return "";
  const [, repository, version] = /^(.*)@([^@/]*)$/s.exec(root) ?? [];
  const isRevision = repository !== undefined && kindOf(repository) === "other";
  const advice = isRevision
    ? `: did you mean "${repository}|icechunk://${versionOf(version)}/"?`
    : didYouMean(basename(root), namesBeside(root));
  return `there is no such directory${advice}`;
}

/** A version as it was written before, "main" or "tag:v1", in an address of today. */
function versionOf(text = ""): string {
  const [, kind = "branch", name = text] = /^(branch|tag|snapshot):(.*)$/s.exec(text) ?? [];
  return kind === "snapshot" ? name : `${kind}.${encodeURIComponent(name)}`;
}

function kindOf(path: string): "file" | "other" | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status && (status.isFile() ? "file" : "other");
}

function namesBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return [];
  }
}
