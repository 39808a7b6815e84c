/** Reverses the four bytes of a word. */
export function swapWord(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Reverses the two bytes of each half of a word. */
function swapHalves(word: number): number {
  return ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
}

/** What a swap by `unit` (1, 2 or 4, or more once the words have changed places) does to the bytes of one word. */
export function swapInWord(word: number, unit: number): number {
  return unit === 1 ? word : unit === 2 ? swapHalves(word) : swapWord(word);
}
