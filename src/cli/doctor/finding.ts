/** What `wazarr doctor` finds. */
import type { JsonObject } from "../../index.js";

export interface Finding extends JsonObject {
  /** "problem": it stands in the way of a page; "advice": it is slow, or not known; "ok": nothing to do. */
  readonly level: "ok" | "advice" | "problem";
  readonly what: string;
  /** What to change; null for "ok". */
  readonly advice: string | null;
}

export const ok = (what: string): Finding => ({ level: "ok", what: onOneLine(what), advice: null });

export const advise = (what: string, advice: string): Finding => ({
  level: "advice",
  what: onOneLine(what),
  advice: onOneLine(advice),
});

export const problem = (what: string, advice: string): Finding => ({
  level: "problem",
  what: onOneLine(what),
  advice: onOneLine(advice),
});

/** Names that others wrote may have line ends, which would look like further findings. */
const onOneLine = (text: string): string => text.replace(/[\s\u2028\u2029]+/g, " ").trim();
