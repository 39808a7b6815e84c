/** Repeats `length` bytes from `distance` back; distances below `length` repeat what is being written. */
export function copyMatch(target: Uint8Array, position: number, distance: number, length: number): void {
  // A call costs more than a few bytes do, and copyWithin does not repeat.
  if (distance >= length && length > 32) {
    target.copyWithin(position, position - distance, position - distance + length);
  } else if (distance === 1) {
    target.fill(target[position - 1] ?? 0, position, position + length);
  } else {
    for (const end = position + length; position < end; position++) {
      target[position] = target[position - distance] ?? 0;
    }
  }
}

/** Copies literals. */
export function copyLiterals(
  target: Uint8Array,
  position: number,
  source: Uint8Array,
  from: number,
  length: number,
): void {
  if (length > 32) target.set(source.subarray(from, from + length), position);
  else for (let i = 0; i < length; i++) target[position + i] = source[from + i] ?? 0;
}
