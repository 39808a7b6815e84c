/**
 * zarr-python 2.13.6 and GDAL 3.6.2 read the hierarchies of the 2020 draft that wazarr writes, and wazarr
 * those that they write. What they cannot read is named here, so that a limit that goes, or a new one, is
 * noticed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, open, root, set, slice } from "../../src/index.js";
import { namesIn, readFixture } from "../setup/draft-fixtures.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { type DraftCase, draftCases } from "./draft-cases.js";
import { expectElements, typeOf, unknownCodecs } from "./draft-expect.js";
import { hexFromBytes, scalarFromHex } from "./elements.js";

const { debian } = readOracles();
const SCRIPTS = fileURLToPath(new URL("../../scripts/oracles/draft-v3/", import.meta.url));
const TITLE = "α";

type ArrayAnswer =
  | { readonly error: string }
  | {
      readonly shape: readonly number[];
      readonly dtype: string;
      readonly le_hex?: string;
      readonly values?: readonly unknown[];
      readonly attributes: object;
    };
type GroupAnswer =
  | { readonly error: string }
  | { readonly attributes: object; readonly members: readonly string[] };
interface Answers {
  readonly version: string;
  readonly arrays: Readonly<Record<string, ArrayAnswer>>;
  readonly groups: Readonly<Record<string, GroupAnswer>>;
}

function run(script: string, args: readonly string[], input = ""): string {
  const executable = debian?.executable ?? "";
  const { status, stdout, stderr } = spawnSync(executable, ["-B", join(SCRIPTS, script), ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${script} ended with status ${status}: ${stderr}`);
  return stdout;
}

async function writeCases(folder: string): Promise<void> {
  const store = new FileSystemStore(folder);
  await create(store, { zarrFormat: "draft", attributes: { title: TITLE } });
  const hierarchy = await open(store, { kind: "group" });
  for (const { path, options, elements, rows } of draftCases) {
    const array = await create(hierarchy.resolve(path), { ...options, zarrFormat: "draft" });
    const shape = array.shape.map((length, d) => (d === 0 ? (rows ?? length) : length));
    const selection = shape.map((length) => slice(0, length));
    await set(array, selection, { data: array.dataType.view(elements), shape });
  }
}

/** Elements in a wider type, as GDAL reads those that it does not have. */
function widened(from: "int8" | "float16", elements: Uint8Array): string {
  const itemSize = from === "int8" ? 1 : 2;
  const count = elements.length / itemSize;
  const scalars = Array.from({ length: count }, (_, i) =>
    Number(scalarFromHex(from, hexFromBytes(elements.subarray(i * itemSize, (i + 1) * itemSize)))),
  );
  const wide = from === "int8" ? Int16Array.from(scalars) : Float32Array.from(scalars);
  return hexFromBytes(new Uint8Array(wide.buffer));
}

/** What a reader makes of an array that it does not read as it is: an error, or these other elements. */
interface Limit {
  readonly path: RegExp;
  readonly why: string;
  readonly error?: RegExp;
  readonly dtype?: string;
  readonly elements?: (each: DraftCase) => string;
}

const READERS: readonly {
  readonly name: "zarr-python" | "gdal";
  readonly version: string | null | undefined;
  readonly limits: readonly Limit[];
}[] = [
  {
    name: "zarr-python",
    version: debian?.zarr,
    limits: [
      {
        path: /^\/shape\/scalar$/,
        why: "looks for the chunk of a scalar under c0",
        elements: () => "00".repeat(8),
      },
      { path: /^\/codec\/zstd$/, why: "knows no URI of zstd", error: /MetadataError/ },
      { path: /^\/ext\/raw$/, why: "does not know r*", error: /'r24' not understood/ },
    ],
  },
  {
    name: "gdal",
    version: debian?.gdal,
    limits: [
      { path: /^\/shape\/scalar$/, why: "crashes on arrays without dimensions", error: /^signal/ },
      { path: /^\/shape\/empty$/, why: "refuses dimensions of 0", error: /Invalid content for shape/ },
      { path: /^\/fill\/plus_infinity$/, why: 'refuses "+Infinity"', error: /Invalid fill_value/ },
      {
        path: /^\/fill\/u8_largest$/,
        why: "reads fill values from 2^63 on as 2^63 - 1",
        elements: ({ elements }) => hexFromBytes(elements).slice(0, 48) + "ffffffffffffff7f".repeat(3),
      },
      {
        path: /^\/(types|fill)\/i1$/,
        why: "has no int8",
        dtype: "<i2",
        elements: ({ elements }) => widened("int8", elements),
      },
      {
        path: /^\/(types|fill)\/(be_|le_)?f2$/,
        why: "has no float16",
        dtype: "<f4",
        elements: ({ elements }) => widened("float16", elements),
      },
      {
        path: /^\/ext\/(complex|bytes|unicode|struct|raw)/,
        why: "does not know r*",
        error: /Invalid or unsupported format for dtype: r\d+$/,
      },
    ],
  },
];

/** Elements that are no numbers, as the reader prints them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "/ext/bytes": ["ab", "abcd", ""],
  "/ext/unicode": ["a", "αβ", ""],
  "/ext/struct": [
    [1, 2.5],
    [-3, 4.25],
    [0, 0],
  ],
};

it("docs/draft-v3.md names every limit", () => {
  const page = readFileSync(new URL("../../docs/draft-v3.md", import.meta.url), "utf8");
  for (const { why } of READERS.flatMap(({ limits }) => limits)) expect(page).toContain(why);
});

const folder = mkdtempSync(join(tmpdir(), "wazarr-draft-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const { name, version, limits } of READERS) {
  const installed = typeof version === "string";
  if (!installed)
    warnLoudly(
      `No ${name} of Debian: its draft hierarchies are SKIPPED. scripts/oracles/install.sh installs it.`,
    );

  describe.skipIf(!installed)(`${name} reads what wazarr writes`, () => {
    let answers: Answers;

    beforeAll(async () => {
      const target = join(folder, name);
      await writeCases(target);
      const request = { arrays: draftCases.map(({ path }) => path), groups: ["/", "/types", "/deep/er"] };
      answers = JSON.parse(run("read_store.py", [name, target], JSON.stringify(request)));
    });

    it("is the version whose limits are listed", () => {
      expect(answers.version.split("+")[0]).toBe(name === "gdal" ? "3.6.2" : "2.13.6");
    });

    for (const each of draftCases) {
      const limit = limits.find(({ path }) => path.test(each.path));
      it(limit === undefined ? each.path : `${each.path}: ${limit.why}`, () => {
        const answer = answers.arrays[each.path];
        if (answer === undefined) throw new Error("no answer");
        if ("error" in answer) {
          expect(answer.error).toMatch(limit?.error ?? /^$/);
          return;
        }
        expect(limit?.error).toBeUndefined();
        expect(answer.shape).toEqual(each.options.shape);
        if (limit?.dtype !== undefined) expect(answer.dtype).toBe(limit.dtype);
        if (answer.le_hex === undefined) expect(answer.values).toEqual(VALUES[each.path]);
        else expect(answer.le_hex).toBe(limit?.elements?.(each) ?? hexFromBytes(each.elements));
        const { dimensionNames, attributes } = each.options;
        const dimensions =
          dimensionNames === undefined || name === "gdal" ? {} : { _ARRAY_DIMENSIONS: dimensionNames };
        // GDAL has places of its own for units and dimension names.
        const { units, ...others } = attributes ?? {};
        const expected = name === "gdal" || units === undefined ? others : { ...others, units };
        expect(answer.attributes).toMatchObject({ ...expected, ...dimensions });
      });
    }

    it("the root group, its attributes and members", () => {
      const members = [...new Set(draftCases.map(({ path }) => path.split("/")[1]))].sort();
      expect(answers.groups["/"]).toMatchObject({ attributes: { title: TITLE }, members });
    });

    it(name === "gdal" ? "implicit groups" : "implicit groups: not by their path", () => {
      if (name === "gdal")
        expect(answers.groups["/deep/er"]).toMatchObject({ attributes: {}, members: ["and"] });
      else expect(answers.groups["/deep/er"]).toMatchObject({ error: expect.stringMatching(/not found/) });
    });
  });

  const script = name === "gdal" ? "make_gdal.py" : "make_zarr_python.py";
  describe.skipIf(!installed)(`wazarr reads what ${name} writes`, () => {
    const written = pathToFileURL(`${join(folder, `${name}-written`)}/`);

    beforeAll(() => {
      mkdirSync(written);
      const work = mkdtempSync(join(folder, "work-"));
      run(script, [fileURLToPath(written), work]);
    });

    it("every node and value", async () => {
      let arrays = 0;
      for (const fixture of namesIn(written)) {
        const { manifest, store } = readFixture(fixture, written);
        for (const [path, expected] of Object.entries(manifest.nodes)) {
          if (expected.expect === "error") continue;
          const node = await open(root(store).resolve(path));
          expect([path, typeOf(node)]).toEqual([path, expected.type]);
          expect(node.attrs).toEqual(expected.attributes ?? {});
          if (node.kind !== "array" || unknownCodecs(node).length > 0) continue;
          await expectElements(node, expected);
          arrays++;
        }
      }
      expect(arrays).toBeGreaterThanOrEqual(name === "gdal" ? 20 : 30);
    });
  });
}
