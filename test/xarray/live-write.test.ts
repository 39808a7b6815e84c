/**
 * What writeDataset writes, as xarray opens it: copies of what xarray wrote, and the same values encoded
 * anew.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/stores/file-system.js";
import { type Dataset, openDataset, type VariableLike, writeDataset } from "../../src/xarray.js";
import { readOracles } from "../setup/oracles.js";

const { python } = readOracles();
const folder = mkdtempSync(join(tmpdir(), "wazarr-write-xarray-"));
afterAll(() => rmSync(folder, { recursive: true }));
const SEED = 20260802;

interface Pair {
  readonly expected: string;
  readonly given: string;
  readonly variables?: readonly string[] | undefined;
}
function differences(pairs: readonly Pair[]): readonly (string | null)[] {
  const output = execFileSync(python?.executable ?? "", ["scripts/oracles/xarray_compare.py"], {
    input: JSON.stringify(pairs),
    maxBuffer: 1 << 27,
  });
  const answers: readonly (string | null)[] = JSON.parse(output.toString());
  return answers;
}

/** Variables as their decoded values, with their encoding or without. */
async function decoded(dataset: Dataset, keepsEncoding: boolean) {
  const read = async (variables: Dataset["variables"]): Promise<Record<string, VariableLike>> => {
    const entries: [string, VariableLike][] = [];
    for (const [name, variable] of Object.entries(variables)) {
      const { data, dims, shape, attrs } = await variable.get();
      entries.push([
        name,
        { data, dims, shape, attrs, ...(keepsEncoding ? { encoding: variable.encoding } : {}) },
      ]);
    }
    return Object.fromEntries(entries);
  };
  return { attrs: dataset.attrs, coords: await read(dataset.coords), dataVars: await read(dataset.dataVars) };
}

describe.skipIf(!python?.xarray || !python?.cftime)("xarray opens as equal", () => {
  const readableOf = new Map<string, readonly string[]>();
  beforeAll(() => {
    const script = "scripts/oracles/xarray_datasets.py";
    const output = execFileSync(python?.executable ?? "", [script, folder, String(SEED)], {
      maxBuffer: 1 << 27,
    });
    const { sets }: { sets: readonly { name: string; variables: Record<string, { error?: string }> }[] } =
      JSON.parse(output.toString());
    for (const { name, variables } of sets)
      readableOf.set(
        name,
        Object.keys(variables).filter((key) => variables[key]?.error === undefined),
      );
  });
  const storeOf = (name: string): FileSystemStore => new FileSystemStore(join(folder, name));

  test.each(["packed", "times", "written"])(
    "%s: copied, encoded anew, and without an encoding, in both formats",
    async (kind) => {
      const pairs: Pair[] = [];
      for (const from of [2, 3] as const) {
        const name = `${kind}-v${from}`;
        const dataset = await openDataset(storeOf(name));
        const again = await decoded(dataset, true);
        const anyhow = await decoded(dataset, false);
        // 544 variables of times: in the format that they come from, the others change formats.
        for (const zarrFormat of kind === "times" ? [from] : ([2, 3] as const)) {
          const readable = kind === "times" ? readableOf.get(name) : undefined;
          for (const [how, given] of [
            ["copied", dataset],
            ["encoded", again],
            ["plain", anyhow],
          ] as const) {
            const target = `${name}-${how}-v${zarrFormat}`;
            await writeDataset(storeOf(target), given, { zarrFormat });
            // Floats that are scaled in 32 bits are rounded twice: another number stands nearest to where
            // they came from.
            const exact = Object.keys(dataset.variables).filter(
              (key) => how === "plain" || !/^float(16|32)_6$/.test(key),
            );
            const variables = kind === "packed" && how !== "copied" ? exact : readable;
            pairs.push({ expected: join(folder, name), given: join(folder, target), variables });
          }
        }
      }
      const found = differences(pairs).map((difference, i) => ({
        given: pairs[i]?.given.slice(folder.length + 1),
        difference,
      }));
      expect(found.filter(({ difference }) => difference !== null)).toEqual([]);
      expect(found).toHaveLength(kind === "times" ? 6 : 12);
    },
    180_000,
  );
});
