/** Where a store of files is, and which keys can be names of files. */
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError, StoreError } from "../../errors.js";
import { isTemporary } from "./write.js";

/**
 * The absolute path of a directory, given as a path or a file: URL.
 * @throws InvalidArgumentError for another URL, and for no path at all
 */
export function directoryOf(root: unknown): string {
  const text = root instanceof URL ? root.href : root;
  if (typeof text === "string" && /^file:\/\//i.test(text)) return resolve(fileURLToPath(text));
  // Text with a scheme would name a directory "https:" in the current one.
  if (typeof text === "string" && text !== "" && !/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return resolve(text);
  throw new InvalidArgumentError(
    `expected the path of a directory or its file: URL, got ${JSON.stringify(text)}; HttpStore takes http(s) URLs`,
  );
}

/** @param relative the key without its leading "/" @throws StoreError for what means something else as a path */
export function checkNames(relative: string, key: string): string {
  // On Windows a backslash separates directories and a colon names a drive or a stream of a file.
  if (sep === "\\" && /[\\:]/.test(relative)) {
    throw new StoreError('expected a key without "\\" and ":", which mean something else in Windows paths', {
      key,
    });
  }
  if (isTemporary(relative.slice(relative.lastIndexOf("/") + 1))) {
    throw new StoreError("expected another key: names of this form are kept for temporary files", { key });
  }
  return relative;
}
