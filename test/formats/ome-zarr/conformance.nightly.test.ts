/**
 * The documents of OME-Zarr's own conformance suite, 0.6rc0: NGFF_SPEC names a clone of the repository
 * ngff-spec of the organisation ome. Reading is no validation: what is tolerated is listed here, with its
 * reason. And the examples of ome-zarr-models' tests: OME_ZARR_MODELS names a clone of ome-zarr-models-py.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../../src/extend.js";
import { parseOmeZarr } from "../../../src/formats/ome-zarr.js";
import type { JsonObject } from "../../../src/index.js";

const repository = process.env.NGFF_SPEC;
const models = process.env.OME_ZARR_MODELS;

/** Valid by the schema alone: these documents contradict themselves, or are half of a document. */
const CONTRADICTIONS: readonly string[] = [
  "spec/valid/image/mismatch_axes_units", // three axes, and a scale of two numbers
  ...["spec/valid/label/minimal", "spec/valid/label/minimal_properties"], // a label without its image
  // The path has the names of row and column the other way round.
  ...["minimal_acquisitions", "minimal_no_acquisitions", "non_alphanumeric_row"].map(
    (name) => `spec/valid/plate/${name}`,
  ),
  ...["strict_acquisitions", "strict_no_acquisitions"].map((name) => `strict/valid/plate/${name}`),
];

/** Against the specification, and read all the same. */
const TOLERATED = new RegExp(
  [
    // Other axes, and levels whose steps are other than a scale and a translation.
    "image/(duplicate_scale|empty_transformations|invalid_axis_type|missing_(scale|space_axes|transformations)|one_space_axes|too_many_(space_)?axes)",
    // `omero` that is wrong is left out.
    "image/invalid_channels_(color|window)",
    // Transformations that lead nowhere are listed as they are.
    "image/invalid_multiscale_transform_input(_output)?",
    "transforms/(bad_affine_no_input_output|bad_projectAxis_insert_too_many|multiscales_transform_(forbidden3?|no_input_output2?))",
    // Wells with any images and paths; what is stricter than the specification is no business of a reader.
    "well/(duplicate_images|empty_images|forbidden_path_[34])",
  ].join("|"),
);

const git = (clone: string, ...command: string[]): string =>
  execFileSync("git", ["-C", clone, ...command], { encoding: "utf8", maxBuffer: 1 << 28 });

/** The files of a clone; none without it, because the body of a suite runs also if it is skipped. */
const filesOf = (clone: string | undefined): string[] =>
  clone === undefined ? [] : git(clone, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0");

/** A JSON document of a clone. */
const documentOf = (clone: string | undefined, path: string): JsonObject =>
  JSON.parse(git(clone ?? ".", "show", `HEAD:${path}`));

describe.runIf(repository !== undefined)("conformance suite", () => {
  const documents = filesOf(repository).filter((name) => /^tests\/attributes\/.*\.json$/.test(name));

  test("has documents", () => {
    expect(documents.length).toBeGreaterThan(100);
  });

  test.each(documents)("%s", (path) => {
    const name = path.slice("tests/attributes/".length, -".json".length);
    const problem = problemOf(documentOf(repository, path));
    if (name.includes("/valid/") && !CONTRADICTIONS.includes(name))
      // Parameters in arrays are not read. That is said, and the image can be read.
      expect(problem ?? "").toMatch(/^$|^UnsupportedError: an? \w+ in an array of its own is not supported/);
    else if (!TOLERATED.test(name)) expect(problem).toBeDefined();
  });
});

/** The inside of a member, without the member; and an array. */
const NO_GROUP = /v04\/(omero|plate)_example|tile_\d\/0\/zarr\.json/;

describe.runIf(models !== undefined)("examples of ome-zarr-models", () => {
  const documents = filesOf(models).filter((name) => /^tests\/data\/.*(\.json|\.zattrs)$/.test(name));

  test("there are examples", () => {
    expect(documents.length).toBeGreaterThan(30);
  });

  test.each(documents.filter((name) => !NO_GROUP.test(name)))("%s", (path) => {
    const document = documentOf(models, path);
    const { attributes = document } = document;
    if (!isJsonObject(attributes)) throw new Error(`expected an object in ${path}`);
    const parsed = parseOmeZarr(attributes);
    expect("warnings" in parsed ? parsed.warnings : []).toEqual([]);
  });
});

function problemOf(attributes: JsonObject): string | undefined {
  try {
    const parsed = parseOmeZarr(attributes);
    const found = "transformations" in parsed ? parsed.transformations : [];
    return found.map(({ problem }) => problem && String(problem)).find((problem) => problem !== undefined);
  } catch (error) {
    return String(error);
  }
}
