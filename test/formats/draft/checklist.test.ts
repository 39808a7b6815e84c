/** README.md and the tests of the checklist say the same. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LINES = 66;
const page = readFileSync(new URL("./README.md", import.meta.url), "utf8");

/** Tests that are named after a line of the checklist, by number. */
function testsByNumber(): Map<number, { readonly what: string; readonly file: string }[]> {
  const tests = new Map<number, { readonly what: string; readonly file: string }[]>();
  for (const file of readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.ts"))) {
    const source = readFileSync(new URL(file, import.meta.url), "utf8");
    for (const [, number = "", what = ""] of source.matchAll(
      /(?:\btest|\bdescribe|\]\))\(\s*"(\d+)\. ([^"]+)"/g,
    )) {
      const found = tests.get(Number(number)) ?? [];
      tests.set(Number(number), [...found, { what: what.replace(": %s", ""), file }]);
    }
  }
  return tests;
}

const rows = [...page.matchAll(/^\| (\d+) \| (.+) \| `([\w-]+)` \|$/gm)];

test("the page has every line, in order", () => {
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: LINES }, (_, i) => i + 1));
});

test("every line has one test of its name, where the page says", () => {
  const tests = testsByNumber();
  for (const [, number, what, name] of rows) {
    expect([number, tests.get(Number(number))]).toEqual([number, [{ what, file: `${name}.test.ts` }]]);
  }
  expect(tests.size).toBe(LINES);
});

test("files that the page names are there", () => {
  for (const [, file = ""] of page.matchAll(/`(test\/[^`]+\.ts)`/g)) {
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8").length).toBeGreaterThan(0);
  }
});
