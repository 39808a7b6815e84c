/** The byte shuffle: twin of assembly/shuffle.ts. Target and source have equal length; what follows the last whole element is copied. */

/** Planes to elements: at least bytes `start` to `end` of the target; without them, all. */
export function unshuffle(
  target: Uint8Array,
  source: Uint8Array,
  typesize: number,
  start = 0,
  end = source.length,
): void {
  const elements = typesize > 1 ? Math.floor(source.length / typesize) : 0;
  const first = Math.floor(start / typesize);
  const last = Math.min(Math.ceil(end / typesize), elements);
  // One plane at a time: a single stream in, one out, and the engine knows both are byte arrays.
  for (let j = 0; j < typesize && elements > 0; j++) {
    for (
      let i = first, from = j * elements + i, to = i * typesize + j;
      i < last;
      i++, from++, to += typesize
    ) {
      target[to] = source[from] ?? 0;
    }
  }
  const whole = elements * typesize;
  if (end > whole) target.set(source.subarray(whole), whole);
}

/** Every `period`-th element, `count` in all: target and planes, one for each byte of the type, begin with the first of them. */
export function unshuffleSpread(
  target: Uint8Array,
  planes: readonly Uint8Array[],
  period: number,
  count: number,
): void {
  const stride = period * planes.length;
  for (const [j, plane] of planes.entries()) {
    for (let i = 0, from = 0, to = j; i < count; i++, from += period, to += stride)
      target[to] = plane[from] ?? 0;
  }
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
