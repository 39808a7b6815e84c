/** Numbers and JSON in words for people. */

import { stringifyJson } from "../../extend.js";
import type { Json } from "../../index.js";

/** A count with its noun: "1 chunk", "2 chunks". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;

/** A number of bytes as a string for people: "1.5 MiB". */
export function size(bytes: number): string {
  const power = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${["B", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

/**
 * JSON on one line for people, not for parsers: large integers keep all digits, but those in objects and
 * lists become strings.
 */
export function short(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  const isPlain = typeof json !== "object" || json === null;
  return isPlain
    ? stringifyJson(json)
    : JSON.stringify(json, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
