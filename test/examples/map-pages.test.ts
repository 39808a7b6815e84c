/** The pages of docs/ about maps show what the examples have. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test.each(["maplibre", "openlayers", "deckgl"])("docs/maps-%s.md", (library) => {
  const [, program = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(`docs/maps-${library}.md`, "utf8")) ?? [];
  expect(program.split("\n").length).toBeGreaterThan(10);
  expect(readFileSync(`examples/maps/${library}/main.ts`, "utf8")).toContain(program);
});
