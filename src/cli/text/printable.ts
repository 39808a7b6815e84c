/** Makes strings that others wrote safe to print on a terminal. */

/**
 * A string without characters that a terminal obeys (but line ends and tabs) or that change the direction of
 * what follows: names, attributes and answers of servers may have them. They are written as JSON writes them,
 * so that JSON stays the same document.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
