/** Loads code when it is first needed. */

/**
 * Loads once: all calls share one promise, so reads that start together continue together. After a failure,
 * the next call tries again. Node takes 7 to 12 us for an `import()` of a module that is loaded already, too
 * much for every read.
 */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= load().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}

/**
 * Loads a built-in module of Node in a way that bundlers do not see; undefined outside Node. Node before
 * 20.16 has no `process.getBuiltinModule` and uses an import whose specifier is not a literal.
 */
export async function loadBuiltin<Module>(specifier: `node:${string}`): Promise<Module | undefined> {
  const { process } = globalThis;
  if (process?.versions?.node === undefined) return undefined;
  const getBuiltinModule: unknown = process.getBuiltinModule;
  if (typeof getBuiltinModule === "function") return getBuiltinModule(specifier);
  return importByName(specifier);
}

/**
 * Imports a module in a way that bundlers do not see. In this file, because minifiers leave comments out, and
 * the core is not minified.
 */
export function importByName<Module>(specifier: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ specifier);
}
