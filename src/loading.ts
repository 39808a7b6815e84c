/** Code that is loaded when it is first needed. */

/**
 * Loads once: all calls share one promise, so that reads that began together go on together. A load that failed is tried again by the
 * next call. Node takes 7 to 12 us for an `import()` of a module that is loaded already, too much for every read.
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
 * A module that is built into Node, hidden from bundlers; undefined elsewhere. Before Node 20.16, which has no
 * `process.getBuiltinModule`, by an import whose specifier is not a literal.
 */
export async function loadBuiltin<Module>(specifier: `node:${string}`): Promise<Module | undefined> {
  const { process } = globalThis;
  if (process?.versions?.node === undefined) return undefined;
  const getBuiltinModule: unknown = process.getBuiltinModule;
  if (typeof getBuiltinModule === "function") return getBuiltinModule(specifier);
  return import(/* webpackIgnore: true */ /* @vite-ignore */ specifier);
}
