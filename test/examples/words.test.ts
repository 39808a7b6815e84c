/**
 * The pages of docs/ stay short: a guide has at most 800 words, and pages of reference have limits of their
 * own. Who needs more words for a fact finds others to leave out, or a page of its own for it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LIMIT = 800;
/**
 * Of pages that list all there is: tables of options, codecs, data types and bounds; how the library is
 * built.
 */
const LONGER: Readonly<Record<string, number>> = {
  "architecture.md": 1500,
  "codecs-files.md": 900,
  "codecs.md": 1100,
  "command-line.md": 1550,
  "data-types.md": 900,
  "engine.md": 1500,
  "options.md": 1300,
  "reliability.md": 850,
};
const LIMIT_OF_ALL = 41_000;
/** The benchmark writes it, and it is not in the way of readers. */
const pages = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "performance-tables.md");

/** Those of programs count too; what has neither letters nor digits, such as the bars of tables, does not. */
const wordsOf = (name: string): number =>
  readFileSync(`docs/${name}`, "utf8")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test.each(pages)("docs/%s", (name) => {
  expect(wordsOf(name)).toBeLessThanOrEqual(LONGER[name] ?? LIMIT);
});

test("all pages together", () => {
  const words = pages.reduce((sum, name) => sum + wordsOf(name), 0);
  expect(words).toBeLessThanOrEqual(LIMIT_OF_ALL);
});
