/** The byte shuffle: twin of assembly/shuffle.ts. Target and source have equal length; what follows the last whole element is copied. */

/** Planes to elements. */
export function unshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = typesize > 1 ? Math.floor(source.length / typesize) : 0;
  // One plane at a time: a single stream in, one out, and the engine knows both are byte arrays.
  for (let j = 0; j < typesize && elements > 0; j++) {
    for (let i = 0, from = j * elements, to = j; i < elements; i++, from++, to += typesize) {
      target[to] = source[from] ?? 0;
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** Elements to planes. */
export function shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = typesize > 1 ? Math.floor(source.length / typesize) : 0;
  for (let j = 0; j < typesize && elements > 0; j++) {
    for (let i = 0, from = j, to = j * elements; i < elements; i++, from += typesize, to++) {
      target[to] = source[from] ?? 0;
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}
