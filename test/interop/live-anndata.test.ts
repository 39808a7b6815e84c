/** Random annotated matrices that anndata writes, equal to what it reads. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAnnData } from "../../src/formats/anndata.js";
import { type Fixture, read, storeOf } from "../formats/anndata/expected.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const { conventions } = readOracles();
const executable = conventions?.anndata == null ? undefined : conventions.executable;
if (executable === undefined)
  warnLoudly("No anndata: comparisons with it are SKIPPED. scripts/oracles/install.sh nightly installs it.");

const COUNT = 30;

test.skipIf(executable === undefined)(
  `${COUNT} random annotated matrices, element by element`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-anndata-"));
    try {
      const file = join(folder, "random.json");
      execFileSync(executable ?? "", ["scripts/oracles/make_anndata_fixtures.py", file, "7", String(COUNT)]);
      const fixtures: Readonly<Record<string, Fixture>> = JSON.parse(readFileSync(file, "utf8"));
      expect(Object.keys(fixtures).length).toBe(COUNT);
      for (const [name, fixture] of Object.entries(fixtures)) {
        const found = await read(await openAnnData(storeOf(fixture)), fixture.expected);
        expect([name, found]).toEqual([name, fixture.expected]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
