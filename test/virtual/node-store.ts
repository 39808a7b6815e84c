/** A store of the nodes of a format, as plain as can be: for tests of the formats alone. */

import type { AbsolutePath, Store } from "../../src/core/stores/store.js";
import { stringifyJson } from "../../src/extend.js";
import { FileBytes, joined } from "../../src/stores/virtual/file-bytes.js";
import type { VirtualChunk, VirtualFormat, VirtualGroup, VirtualNode } from "../../src/stores/virtual/port.js";

export async function fileOf(bytes: Uint8Array, name = "file"): Promise<FileBytes> {
  return FileBytes.open(new Map([["/file", bytes]]), "/file", name);
}

export async function bytesOfChunk(file: FileBytes, { parts, recode }: VirtualChunk): Promise<Uint8Array> {
  const read = parts.map((part) => (part instanceof Uint8Array ? part : file.chunk(part)));
  const bytes = joined(await Promise.all(read));
  return recode === undefined ? bytes : recode(bytes);
}

export function storeOfNodes(root: VirtualGroup, file: FileBytes): Store {
  const nodeAt = async (names: readonly string[]): Promise<VirtualNode | undefined> => {
    let node: VirtualNode | undefined = root;
    for (const name of names) {
      if (node?.kind !== "group") return undefined;
      node = await node.child(name);
    }
    return node;
  };
  const listDir = async (prefix: AbsolutePath) => {
    const node = await nodeAt(prefix.split("/").filter((each) => each !== ""));
    const names = node?.kind === "group" ? await node.names() : [];
    return { keys: [], prefixes: names.map((name): AbsolutePath => `${prefix}${name}/`) };
  };
  return {
    async get(key) {
      const names = key.slice(1).split("/");
      if (names.at(-1) === "zarr.json") {
        const node = await nodeAt(names.slice(0, -1));
        return node && new TextEncoder().encode(stringifyJson(await node.document()));
      }
      const at = names.indexOf("c");
      const node = at < 0 ? undefined : await nodeAt(names.slice(0, at));
      if (node?.kind !== "array") return undefined;
      const chunk = await node.chunk(names.slice(at + 1).map(Number));
      return chunk && bytesOfChunk(file, chunk);
    },
    list: () => [],
    listPrefix: () => [],
    listDir,
  };
}

export async function storeOfFile(format: VirtualFormat, bytes: Uint8Array): Promise<Store> {
  const file = await fileOf(bytes);
  return storeOfNodes(await format.open(file), file);
}
