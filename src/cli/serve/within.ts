/** A directory as it may be served: links that lead out of it are not followed. */
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { StoreError } from "../../errors.js";
import type { FileSystemStore } from "../../stores/file-system.js";
import { relativeKey, relativePrefix } from "../../stores/keys-and-ranges.js";
import type { AbsolutePath, Store } from "../../stores/store.js";

/** What `answerValue` asks of a store, with a look at where each file really is. */
export function withinDirectory(store: FileSystemStore): Store {
  const root = realpath(store.root);
  /** @throws StoreError for a key that leads elsewhere, or holds ".."; what is not there is for the store to say */
  async function check(key: AbsolutePath): Promise<void> {
    const relative = key.endsWith("/") ? relativePrefix(key) : relativeKey(key);
    const found = await realpath(join(store.root, relative)).catch(() => undefined);
    const inside = await root;
    if (found !== undefined && found !== inside && !found.startsWith(inside + sep))
      throw new StoreError("a link leads out of the directory that is served", { key });
  }
  return {
    async get(key, options) {
      await check(key);
      return store.get(key, options);
    },
    async getRange(key, range, options) {
      await check(key);
      return store.getRange(key, range, options);
    },
    list: (options) => store.list(options),
    listPrefix: (prefix, options) => store.listPrefix(prefix, options),
    async listDir(prefix, options) {
      await check(prefix);
      return store.listDir(prefix, options);
    },
  };
}
