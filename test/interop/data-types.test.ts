/**
 * Every data type, written by wazarr and read by every implementation that can be had, and the other way
 * round. An implementation may refuse a type, but never read other elements. Which of them agreed is the
 * table of data-types.md beside it: it has to say what this run found. WAZARR_WRITE_DOCS=1 writes it anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as zarrita from "zarrita";
import { loadExtraDataTypes } from "../../src/main/data-types.js";
import { warnLoudly } from "../setup/oracles.js";
import {
  implementations,
  readStore,
  type Variant,
  variableHex,
  variants,
  writeVariant,
} from "./data-type-partners.js";
import { type DataTypeRow, rows } from "./data-type-rows.js";
import { hexFromBytes } from "./elements.js";

const DOCUMENT = new URL("data-types.md", import.meta.url);

/** Where an implementation is known to be wrong, so that it is not asked to agree. */
const KNOWN_WRONG = new Set([
  // Takes the fill value 2 for 2^-63 (pattern 0x40, which is 2 in float8_e4m3fn) and writes 0x80, which is 2
  // by ml_dtypes and the specification, as -2^65.
  "T float8_e8m0fnu",
]);

const label = ({ zarrFormat, dataType }: Variant): string => `v${zarrFormat} ${JSON.stringify(dataType)}`;

/** Letters of the implementations that agreed on every variant of a row: by row, format and direction. */
const agreed = new Map<string, string>();
const recorded = new Set<string>();
const cell = (row: DataTypeRow, zarrFormat: 2 | 3, direction: "read" | "write"): string =>
  `${row.name} v${zarrFormat} ${direction}`;

function record(letter: string, outcomes: ReadonlyMap<Variant, { read: boolean; write: boolean }>): void {
  recorded.add(letter);
  for (const row of rows) {
    for (const zarrFormat of [2, 3] as const) {
      const of = [...outcomes].filter(
        ([variant]) => variant.row === row && variant.zarrFormat === zarrFormat,
      );
      for (const direction of ["read", "write"] as const) {
        if (of.length === 0 || !of.every(([, outcome]) => outcome[direction])) continue;
        const key = cell(row, zarrFormat, direction);
        agreed.set(key, (agreed.get(key) ?? "") + letter);
      }
    }
  }
}

beforeAll(loadExtraDataTypes);

describe.each(variants.map((variant) => [label(variant), variant] as const))("%s", (_, variant) => {
  it("reads what it wrote", async () => {
    expect(await readStore(await writeVariant(variant))).toBe(variant.row.data);
  });
});

for (const { letter, title, isThere, formats, exchange } of implementations) {
  if (!isThere)
    warnLoudly(`No ${title}: its data types are SKIPPED. scripts/oracles/install.sh installs it.`);

  describe.skipIf(!isThere)(title, () => {
    it("agrees on every type that it knows", async () => {
      const asked = variants.filter(({ zarrFormat }) => formats.includes(zarrFormat));
      const answers = await exchange(asked);
      const outcomes = new Map<Variant, { read: boolean; write: boolean }>();
      const wrong: string[] = [];
      for (const [i, variant] of asked.entries()) {
        const { data } = variant.row;
        const { read, write } = answers[i] ?? { read: {}, write: {} };
        if (KNOWN_WRONG.has(`${letter} ${variant.row.name}`)) continue;
        if (read.data !== undefined && read.data !== data) {
          wrong.push(`${label(variant)}: reads ${read.data}`);
        }
        let taken: string | undefined;
        if (write.store !== undefined) {
          taken = await readStore(write.store);
          if (taken !== data) wrong.push(`${label(variant)}: wazarr reads ${taken}`);
        }
        // "v2 write" of the table is what wazarr writes and the implementation reads.
        outcomes.set(variant, { read: taken === data, write: read.data === data });
      }
      expect(wrong).toEqual([]);
      record(letter, outcomes);
    });
  });
}

describe("zarrita", () => {
  it("agrees on every type that it reads", async () => {
    const outcomes = new Map<Variant, { read: boolean; write: boolean }>();
    const wrong: string[] = [];
    for (const variant of variants) {
      const data = await zarritaReads(await writeVariant(variant));
      if (data !== undefined && data !== variant.row.data) wrong.push(`${label(variant)}: reads ${data}`);
      outcomes.set(variant, { read: false, write: data === variant.row.data });
    }
    expect(wrong).toEqual([]);
    record("z", outcomes);
  });
});

async function zarritaReads(store: Map<string, Uint8Array>): Promise<string | undefined> {
  try {
    const { data } = await zarrita.get(await zarrita.open(store, { kind: "array" }));
    if (!("buffer" in data)) return variableHex(data);
    return hexFromBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  } catch {
    return undefined;
  }
}

function zarritaVersion(): string {
  const manifest = new URL("../../node_modules/zarrita/package.json", import.meta.url);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
}

const BEGIN = "<!-- begin: written by test/interop/data-types.test.ts -->";
const END = "<!-- end -->";

function table(): string {
  const head = ["data type", "v2 read", "v2 write", "v3 read", "v3 write"];
  const lines = rows.map((row) => {
    const cells = ([2, 3] as const).flatMap((zarrFormat) =>
      (["read", "write"] as const).map((direction) => {
        const holds = zarrFormat === 2 ? row.v2.length > 0 : row.v3.length > 0;
        return holds ? `✓ ${agreed.get(cell(row, zarrFormat, direction)) ?? ""}`.trim() : "";
      }),
    );
    return [row.name, ...cells];
  });
  const legend = [...implementations, { letter: "z", title: `zarrita ${zarritaVersion()}` }]
    .map(({ letter, title }) => `${letter} ${title}`)
    .join(", ");
  const rendered = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  return [`${legend}.`, "", ...rendered].join("\n");
}

describe("data-types.md", () => {
  const complete = implementations.every(({ isThere }) => isThere);
  it.skipIf(!complete)("has the table that this run found", () => {
    expect([...recorded]).toEqual([...implementations.map(({ letter }) => letter), "z"]);
    const text = readFileSync(DOCUMENT, "utf8");
    const [before = "", rest = ""] = text.split(BEGIN);
    const [, after = ""] = rest.split(END);
    const expected = `${before}${BEGIN}\n${table()}\n${END}${after}`;
    if (process.env.WAZARR_WRITE_DOCS === "1") writeFileSync(DOCUMENT, expected);
    else expect(text).toBe(expected);
  });
});
