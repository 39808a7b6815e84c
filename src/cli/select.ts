/** Selections as text, in the notation of NumPy: "0:10,::2,5", "..., -1". */
import { InvalidSelectionError } from "../errors.js";
import { type Selection, type SelectionEntry, slice } from "../grid/selection.js";
import { UsageError } from "./usage.js";

const INTEGER = /^[+-]?\d+$/;

/** Dimensions that are not named are taken whole. @throws UsageError */
export function parseSelection(text: string | undefined): Selection {
  if (text === undefined) return null;
  const entries = text.trim() === "" ? [] : text.split(",").map((entry) => parseEntry(entry.trim(), text));
  return entries.includes("...") ? entries : [...entries, "..."];
}

function parseEntry(entry: string, text: string): SelectionEntry {
  if (entry === "...") return entry;
  const parts = entry.split(":").map((part) => part.trim());
  const isInteger = parts.length === 1 && INTEGER.test(entry);
  const isSlice =
    parts.length > 1 && parts.length < 4 && parts.every((part) => part === "" || INTEGER.test(part));
  if (!isInteger && !isSlice) {
    throw new UsageError(
      `--select: expected integers, slices (start:stop:step) and one "..." with commas between, got ${JSON.stringify(entry)} in ${JSON.stringify(text)}`,
    );
  }
  if (isInteger) return Number(entry);
  const [start = null, stop = null, step = null] = parts.map((part) => (part === "" ? null : Number(part)));
  try {
    return slice(start, stop, step);
  } catch (error) {
    if (error instanceof InvalidSelectionError) throw new UsageError(`--select: ${error.message}`);
    throw error;
  }
}
