/** Colours, on terminals only. https://no-color.org */

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], cyan: [36, 39] } as const;

/** Colours a string, if its stream shows colours. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

export function paintFor({ isTTY }: { readonly isTTY?: boolean }): Paint {
  const { NO_COLOR = "", TERM } = process.env;
  if (isTTY !== true || NO_COLOR !== "" || TERM === "dumb") return (_, text) => text;
  return (style, text) => {
    const [begin, end] = CODES[style];
    return text === "" ? text : `\x1b[${begin}m${text}\x1b[${end}m`;
  };
}
