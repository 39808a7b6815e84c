/**
 * A module that is loaded when it is first wanted, for where that is at every read: Node takes 7 to 12 us for an `import()` of what is there
 * already. Those who come while it loads wait for the same load, so that reads that began together go on together. A load that failed is
 * tried again.
 */
export function lazy<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Promise<Module> | undefined;
  return () => {
    module ??= load().catch((error: unknown) => {
      module = undefined;
      throw error;
    });
    return module;
  };
}
