/** imagecodecs from Python: random chunks of each of TIFF's codecs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/metadata/json.js";
import { decode } from "../codecs/archives/tiff-decode.js";
import { expectSame, fromBase64 } from "../core/codecs/harness.js";
import { readOracles } from "../setup/oracles.js";

interface Case {
  readonly codec: string;
  readonly type: string;
  readonly shape: readonly number[];
  readonly configuration: JsonObject;
  readonly encoded: string;
  readonly decoded: string;
}

const { python } = readOracles();
const executable = python?.imagecodecs ? python.executable : undefined;

it.skipIf(executable === undefined)(
  "imagecodecs writes 200 chunks with each, which are read to the bit",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-tiff-"));
    try {
      const file = join(folder, "cases.json");
      execFileSync(executable ?? "", ["scripts/oracles/make_tiff_fixtures.py", file, "200", "11"]);
      const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, "utf8"));
      expect(cases).toHaveLength(800);
      for (const { codec, type, shape, configuration, encoded, decoded } of cases) {
        const elements = await decode(
          `imagecodecs_${codec}`,
          configuration,
          fromBase64(encoded),
          type,
          shape,
        );
        expectSame(elements, fromBase64(decoded));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
