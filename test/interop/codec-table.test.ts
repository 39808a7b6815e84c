import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { registry } from "../../src/core/codecs/registry/registry.js";
import { CODE } from "./codec-code.js";
import { type AgreementRecord, CODECS, codecTable, DOCUMENT, RECORD } from "./codec-table.js";

it("docs/codecs.md is what the record of agreements says", () => {
  const record: AgreementRecord = JSON.parse(readFileSync(RECORD, "utf8"));
  if (process.env.WAZARR_UPDATE === "1") writeFileSync(DOCUMENT, codecTable(record));
  expect(readFileSync(DOCUMENT, "utf8")).toBe(codecTable(record));
});

it("every registered codec stands in the table, and no other", () => {
  const listed = new Set(CODECS.flatMap(({ v3 }) => v3));
  const names = new Set(registry.keys());
  const missing = [...names].filter((name) => !listed.has(name) && !listed.has(`numcodecs.${name}`));
  expect(missing).toEqual([]);
  const unknown = [...listed].filter(
    (name) => ![name, name.replace("numcodecs.", "")].some((each) => names.has(each)),
  );
  expect(unknown).toEqual([]);
});

it("what a page loads is said of every registered codec, once", () => {
  expect(CODE.flatMap(({ codecs }) => codecs).sort()).toEqual([...registry.keys()].sort());
});
