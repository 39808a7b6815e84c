/** v3 has the codecs of numcodecs by their names with a prefix; v2 has them without. */
export const withoutPrefix = (name: string): string => name.replace(/^numcodecs\./, "");
