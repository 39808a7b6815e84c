/** Node's compression library, where there is one. */

/**
 * node:zlib without a bundler seeing it: `process.getBuiltinModule` (Node 20.16 on), before that an import whose specifier is
 * not a literal.
 */
export async function loadNodeZlib(): Promise<typeof import("node:zlib") | undefined> {
  if (typeof process === "undefined" || process.versions?.node === undefined) return undefined;
  if (typeof process.getBuiltinModule === "function") return process.getBuiltinModule("node:zlib");
  const specifier = "node:zlib";
  return import(/* @vite-ignore */ specifier);
}
