/** What writeDataset writes of data sets that xarray wrote, as xarray opens it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { type Dataset, openDataset, type VariableLike, writeDataset } from "../../../src/formats/xarray.js";
import { readOracles } from "../../setup/oracles.js";

const { python } = readOracles();
/** Something that the comparison needs is not installed. */
export const isMissing = !python?.xarray || !python?.cftime;
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

/** Some variables as their decoded values, with their encoding or without. */
async function decoded(dataset: Dataset, names: ReadonlySet<string>, keepsEncoding: boolean) {
  const read = async (variables: Dataset["variables"]): Promise<Record<string, VariableLike>> => {
    const entries: [string, VariableLike][] = [];
    for (const [name, variable] of Object.entries(variables).filter(([key]) => names.has(key))) {
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

/** Some variables as they are. */
function picked(dataset: Dataset, names: ReadonlySet<string>) {
  const pick = (variables: Dataset["variables"]): Dataset["variables"] =>
    Object.fromEntries(Object.entries(variables).filter(([key]) => names.has(key)));
  return { attrs: dataset.attrs, coords: pick(dataset.coords), dataVars: pick(dataset.dataVars) };
}

/** The data sets that xarray wrote, below a folder that is removed at the end. */
export class XarrayDatasets {
  readonly #folder = mkdtempSync(join(tmpdir(), "wazarr-write-xarray-"));
  readonly #readable = new Map<string, readonly string[]>();

  constructor() {
    const script = "scripts/oracles/xarray_datasets.py";
    const output = execFileSync(python?.executable ?? "", [script, this.#folder, String(SEED)], {
      maxBuffer: 1 << 27,
    });
    const { sets }: { sets: readonly { name: string; variables: Record<string, { error?: string }> }[] } =
      JSON.parse(output.toString());
    for (const { name, variables } of sets)
      this.#readable.set(
        name,
        Object.keys(variables).filter((key) => variables[key]?.error === undefined),
      );
  }

  #store(name: string): FileSystemStore {
    return new FileSystemStore(join(this.#folder, name));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /**
   * Copies each data set of a kind to the other format.
   * @returns what xarray finds different in each copy, nothing if null; and both as `openDataset` opens them
   */
  async copies(
    kind: "packed" | "times" | "written",
    copy: (from: FileSystemStore, to: FileSystemStore, zarrFormat: 2 | 3) => Promise<unknown>,
  ): Promise<readonly { readonly difference: string | null; readonly opened: readonly Dataset[] }[]> {
    const made = [2, 3].map(async (from) => {
      const [name, target] = [`${kind}-v${from}`, `${kind}-v${from}-copy-${copy.name}`];
      await copy(this.#store(name), this.#store(target), from === 2 ? 3 : 2);
      const opened = await Promise.all([openDataset(this.#store(name)), openDataset(this.#store(target))]);
      const variables = kind === "times" ? this.#readable.get(name) : undefined;
      return {
        pair: { expected: join(this.#folder, name), given: join(this.#folder, target), variables },
        opened,
      };
    });
    const all = await Promise.all(made);
    const found = differences(all.map(({ pair }) => pair));
    return all.map(({ opened }, at) => ({ difference: found[at] ?? null, opened }));
  }

  /**
   * Writes each data set of a kind copied, encoded anew, and without an encoding.
   *
   * @param every of the variables of a kind that has hundreds, each of this many
   * @returns what xarray finds different in each copy: nothing if null
   */
  async differences(
    kind: "packed" | "times" | "written",
    every = 1,
  ): Promise<readonly { readonly given: string; readonly difference: string | null }[]> {
    const pairs: Pair[] = [];
    for (const from of [2, 3] as const) {
      const name = `${kind}-v${from}`;
      const dataset = await openDataset(this.#store(name));
      const isDimension = (key: string): boolean => dataset.variables[key]?.dims.includes(key) === true;
      const names = new Set(
        Object.keys(dataset.variables).filter((key, at) => at % every === 0 || isDimension(key)),
      );
      const again = await decoded(dataset, names, true);
      const anyhow = await decoded(dataset, names, false);
      // The many times in the format that they come from, the others change formats.
      for (const zarrFormat of kind === "times" ? [from] : ([2, 3] as const)) {
        const readable = kind === "times" ? this.#readable.get(name) : every === 1 ? undefined : [...names];
        const compared = readable?.filter((key) => names.has(key));
        for (const [how, given] of [
          ["copied", every === 1 ? dataset : picked(dataset, names)],
          ["encoded", again],
          ["plain", anyhow],
        ] as const) {
          const target = `${name}-${how}-v${zarrFormat}`;
          await writeDataset(this.#store(target), given, { zarrFormat });
          // Floats that are scaled in 32 bits are rounded twice: another number stands nearest to where
          // they came from.
          const exact = Array.from(names).filter((key) => how === "plain" || !/^float(16|32)_6$/.test(key));
          const variables = kind === "packed" && how !== "copied" ? exact : compared;
          pairs.push({ expected: join(this.#folder, name), given: join(this.#folder, target), variables });
        }
      }
    }
    return differences(pairs).map((difference, at) => ({
      given: pairs[at]?.given.slice(this.#folder.length + 1) ?? "",
      difference,
    }));
  }
}
