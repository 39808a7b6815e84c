/** Annotated matrices that anndata writes at random, and that its releases wrote: equal to what it reads. */
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
/** A clone of anndata's repository, which keeps what its releases since 0.7 wrote. */
const clone = process.env.ANNDATA;

/** Has make_anndata_fixtures.py write fixtures, and reads each. */
async function readMade(argumentsOfScript: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-anndata-"));
  try {
    const file = join(folder, "made.json");
    execFileSync(executable ?? "", ["scripts/oracles/make_anndata_fixtures.py", file, ...argumentsOfScript]);
    const fixtures: Readonly<Record<string, Fixture>> = JSON.parse(readFileSync(file, "utf8"));
    for (const [name, fixture] of Object.entries(fixtures)) {
      const found = await read(await openAnnData(storeOf(fixture)), fixture.expected);
      expect([name, found]).toEqual([name, fixture.expected]);
    }
    return Object.keys(fixtures);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(executable === undefined)(
  `${COUNT} random annotated matrices, element by element`,
  async () => expect(await readMade(["7", String(COUNT)])).toHaveLength(COUNT),
  300_000,
);

test.skipIf(executable === undefined || clone === undefined)(
  "what earlier releases of anndata wrote",
  async () => expect(await readMade([clone ?? ""])).toEqual(expect.arrayContaining(["v0.7.0", "v0.11.4"])),
  300_000,
);
