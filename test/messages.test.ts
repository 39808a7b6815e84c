/** The wording of error messages: one form for each kind of error, as CONTRIBUTING.md lists them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** The literal arguments of errors that are constructed: the text of a message, with its `${...}`. */
const MESSAGE = /new \w*Error\(\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

function messages(): { readonly file: string; readonly text: string }[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".generated.ts"))
    .flatMap((file) =>
      Array.from(readFileSync(join(ROOT, "src", file), "utf8").matchAll(MESSAGE), ([text]) => ({
        file,
        text: text.replace(/^[^(]*\(\s*/, "").slice(1, -1),
      })),
    );
}

test.each([
  ["a node that exists: an array already exists", /\bthere (?:is|are)\b.*\balready\b/],
  ["a thing that does not exist: no array x", /(?:^|: )there (?:is|are) no\b/],
  ["options that exclude each other: cannot be combined with", /\bexpected none\b/],
  ["advice after a semicolon", /: (?:take|use|open|pass|write|select|make|choose|run|create) /],
  ["use, not take", /; take /],
  ["after or beyond, not behind; again, not anew", /\b(?:behind|anew)\b/],
  ["string, not text", /\bISO 8601 text\b|\bof text\b|\ba text\b/],
  ["if, not where", /[;:,] where /],
  ["not a, instead of no", /\bis no\b/],
  ["no full stop at the end", /[^.]\.$/],
])("%s", (_form, wrong) => {
  const all = messages();
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter(({ text }) => wrong.test(text))).toEqual([]);
});
