/**
 * What is loaded when it is first wanted: a module where that is at every read (Node takes 7 to 12 us for an `import()` of what is there
 * already), an array's codecs. Those who come while it loads wait for the same load, so that reads that began together go on together.
 * A load that failed is tried again.
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
