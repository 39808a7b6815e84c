/**
 * A module that is built into Node, without a bundler seeing it; undefined elsewhere. `process.getBuiltinModule` is there from
 * Node 20.16 on, before that an import whose specifier is not a literal.
 */
export async function loadBuiltin<Module>(specifier: `node:${string}`): Promise<Module | undefined> {
  if (typeof process === "undefined" || process.versions?.node === undefined) return undefined;
  const getBuiltinModule: unknown = process.getBuiltinModule;
  if (typeof getBuiltinModule === "function") return getBuiltinModule(specifier);
  return import(/* @vite-ignore */ specifier);
}
