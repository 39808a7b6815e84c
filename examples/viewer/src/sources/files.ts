/** A folder or an archive of the user's own. */
import type { Readable, Store } from "wazarr";

type Key = Parameters<Readable["get"]>[0];

/** Files by their path below what was dropped or chosen. */
export type Files = ReadonlyMap<string, File>;

/** @throws Error where nothing Zarr-like is among the files */
export async function openFiles(files: Files): Promise<Store> {
  const [only] = files.values();
  if (files.size === 1 && only && /\.(?:zip|ozx)$/i.test(only.name))
    return (await import("wazarr/stores/zip")).ZipStore.fromBlob(only);
  if (files.size === 1 && only && /\.(?:nc4?|h5|hdf5|grib2?|grb2?|tiff?)$/i.test(only.name))
    return (await import("wazarr/virtual")).openVirtual(only);
  // The hierarchy begins where the topmost document is.
  const documents = [...files.keys()].filter((path) =>
    /(?:^|\/)(?:zarr\.json|\.zgroup|\.zarray)$/.test(path),
  );
  const depth = (path: string): number => path.split("/").length;
  const [top] = documents.sort((a, b) => depth(a) - depth(b));
  if (top === undefined) throw new Error("there is no zarr.json, .zgroup or .zarray in this folder");
  const base = top.slice(0, top.lastIndexOf("/") + 1);
  return folderStore(
    (key) => files.get(base + key.slice(1)),
    () =>
      [...files.keys()]
        .filter((path) => path.startsWith(base))
        .map((path): Key => `/${path.slice(base.length)}`),
  );
}

function folderStore(fileOf: (key: Key) => File | undefined, keys: () => readonly Key[]): Store {
  const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());
  const below = (prefix: Key): Key[] => keys().filter((key) => key.startsWith(prefix));
  return {
    async get(key) {
      const file = fileOf(key);
      return file && bytesOf(file);
    },
    async getRange(key, range) {
      const file = fileOf(key);
      if (!file) return undefined;
      const start = "suffixLength" in range ? Math.max(0, file.size - range.suffixLength) : range.offset;
      return bytesOf(file.slice(start, "suffixLength" in range ? file.size : start + range.length));
    },
    list: () => keys(),
    listPrefix: (prefix) => below(prefix),
    listDir(prefix) {
      const found = below(prefix).map((key) => key.slice(prefix.length));
      const names = new Set(
        found.filter((key) => key.includes("/")).map((key) => key.slice(0, key.indexOf("/") + 1)),
      );
      return {
        keys: found.filter((key) => !key.includes("/")).map((key): Key => `${prefix}${key}`),
        prefixes: [...names].map((name): Key => `${prefix}${name}`),
      };
    },
  };
}

/** All files of what was dropped on the page. */
export async function droppedFiles(items: DataTransferItemList): Promise<Files> {
  const files = new Map<string, File>();
  const visit = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (isFile(entry)) {
      files.set(path, await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
    } else if (isDirectory(entry)) {
      const reader = entry.createReader();
      for (;;) {
        // At most a hundred at a time, and none at the end.
        const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
          reader.readEntries(resolve, reject),
        );
        if (batch.length === 0) break;
        await Promise.all(batch.map((each) => visit(each, `${path}/${each.name}`)));
      }
    }
  };
  // Before the first await: the list is empty afterwards.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  await Promise.all(entries.map((entry) => visit(entry, entry.name)));
  return files;
}

// Not by `instanceof`: Chromium has no such classes in its global scope.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

export function chosenFiles(list: Iterable<File>): Files {
  return new Map([...list].map((file) => [file.webkitRelativePath || file.name, file]));
}
