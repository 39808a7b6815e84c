/** The table of fixtures in README.md says what test/fixtures/shards.json holds. */
import { expect, test } from "vitest";
import text from "../../fixtures/shards.json?raw";
import page from "./README.md?raw";

interface Entry {
  readonly writer: string;
  readonly name: string;
}
const fixtures: {
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly arrays: readonly Entry[];
  readonly excluded: readonly Entry[];
} = JSON.parse(text);

const WRITERS = ["zarr-python", "TensorStore", "zarrs", "zarrs, partial encoding"] as const;
/** Footnotes of the page. */
const REASON: Readonly<Record<string, string>> = {
  "zarr-python": "refuses (1)",
  TensorStore: "refuses (2)",
};

function cell(writer: string, name: string): string {
  const isOurs = (entry: Entry): boolean => entry.writer === writer && entry.name === name;
  if (fixtures.arrays.some(isOurs)) return "read";
  return fixtures.excluded.some(isOurs) ? (REASON[writer] ?? "refuses") : "";
}

function table(): string {
  const versions = WRITERS.map((writer) => {
    const { zarr, tensorstore, zarrs } = fixtures.versions[writer] ?? {};
    return writer.replace(/^[^,]+/, (title) => `${title} ${zarr ?? tensorstore ?? zarrs}`);
  });
  const names = [...new Set([...fixtures.arrays, ...fixtures.excluded].map(({ name }) => name))].sort();
  return [
    ["array", ...versions],
    ["---", ...WRITERS.map(() => "---")],
    ...names.map((name) => [name, ...WRITERS.map((writer) => cell(writer, name))]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

test("every array, by writer", () => {
  const [, documented = ""] = /<!-- fixtures[^>]*-->\n([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  expect(documented.trim()).toBe(table());
});
