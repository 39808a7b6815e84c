/** Many virtual chunks, in a repository that icechunk makes for the test. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { get, open, root, slice } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { virtualValues } from "../../setup/icechunk-fixtures.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";

const { python } = readOracles();
const executable = python?.icechunk && python.executable;
if (!executable)
  warnLoudly("No icechunk: 100,000 virtual chunks are SKIPPED. scripts/oracles/install.sh installs it.");

test.skipIf(!executable)(
  "some of 100,000 virtual chunks in files, as zarr-python reads them",
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-icechunk-"));
    try {
      const script = fileURLToPath(new URL("../../../scripts/oracles/icechunk_oracle.py", import.meta.url));
      const { status, stderr } = spawnSync(executable ?? "", [script, "virtual-100000", folder, "2"], {
        encoding: "utf8",
        env: { ...process.env, RUST_LOG: "error" },
      });
      expect(status, stderr).toBe(0);
      const array = await open(
        root(await openStore(`${join(folder, "repository")}|icechunk:`, { allow: [folder] })).resolve(
          "virtual",
        ),
        {
          kind: "array",
          dtype: "uint16",
        },
      );
      const expected = virtualValues(100_000);
      // All of them were compared once, which takes two minutes.
      for (const from of [0, 99_000, 198_000]) {
        const { data } = await get(array, [slice(from, from + 2000)]);
        expect(data).toEqual(expected.subarray(from, from + 2000));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
