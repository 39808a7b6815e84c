/**
 * Archives of other writers are read (test/fixtures/zip.json, made by scripts/oracles/make_zip_fixtures.py),
 * and the other way.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { expectBytes, pattern, STRANGE_KEYS } from "../conformance.js";

interface Fixture {
  readonly name: string;
  readonly archive: string;
  readonly values: Readonly<Record<string, string>>;
}

const fixtures: readonly Fixture[] = JSON.parse(
  readFileSync(new URL("../../fixtures/zip.json", import.meta.url), "utf8"),
);

describe("ZipStore reads what others wrote", () => {
  it.each(fixtures)("$name", async ({ archive, values }) => {
    const store = ZipStore.fromBlob(new Blob([Buffer.from(archive, "base64")]));
    const names = Object.keys(values);
    expect(names.length).toBeGreaterThan(2);
    expect((await store.list()).sort()).toEqual(names.map((name) => `/${name}`).sort());
    for (const [name, value] of Object.entries(values)) {
      expectBytes(await store.get(`/${name}`), Buffer.from(value, "base64"), name);
    }
  });
});

const python = readOracles().python?.executable;
if (python === undefined)
  warnLoudly("No Python: its zipfile is NOT asked about archives that were packed here.");

const SCRIPT = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps({name: archive.read(name).hex() for name in archive.namelist()}))
`;

it.skipIf(python === undefined)("Python's zipfile reads what packZip writes", async () => {
  const values = new Map(
    STRANGE_KEYS.map((key, index): [string, Uint8Array] => [key, pattern(index * 50, index)]),
  );
  const directory = mkdtempSync(join(tmpdir(), "wazarr-zip-"));
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of packZip(values)) pieces.push(piece);
    const path = join(directory, "packed.zip");
    writeFileSync(path, Buffer.concat(pieces));
    const read: unknown = JSON.parse(execFileSync(python ?? "", ["-c", SCRIPT, path], { encoding: "utf8" }));
    const expected = [...values].map(([key, value]) => [key.slice(1), Buffer.from(value).toString("hex")]);
    expect(new Map(Object.entries(Object(read)))).toEqual(
      new Map(expected.map(([key, hex]) => [String(key), hex])),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
