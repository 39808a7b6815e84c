/** What stands as `open` in examples/distributed/queue.mjs while it is tested: directories, and a bucket. */
import { FileSystemStore } from "../../src/stores/file-system.js";
import { S3Store } from "./s3-store.js";

export const S3_KEYS = { id: "root", secret: "root-secret" };

export const open = (store: string) =>
  store.startsWith("http://") ? new S3Store(store, S3_KEYS) : new FileSystemStore(store);
