/**
 * A module that is loaded when it is first wanted, for where that is at every read: Node takes 7 to 12 us for an `import()` of what is there
 * already. A load that failed is tried again.
 */
export function lazy<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Module | undefined;
  return async () => {
    module ??= await load();
    return module;
  };
}
