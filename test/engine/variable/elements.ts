/** Elements that a reader or writer of text may get wrong, and bytes in forms that tests compare. */

/**
 * Empty, ASCII, two, three and four bytes a character, NULs, a byte order mark, and what a lossy decoder
 * would make of errors.
 */
export const TEXTS: readonly string[] = [
  "",
  "a",
  "the",
  "quick brown fox jumps over",
  "\0",
  "é",
  "naïve café",
  "€uro",
  "日本語のテキスト",
  "😀",
  "👩‍👩‍👧‍👦 family",
  "\ufeffmarked",
  "a\0b\0",
  "\ufffd",
  "x".repeat(300),
  "ends in 😀",
  "𐍈".repeat(40),
];

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
