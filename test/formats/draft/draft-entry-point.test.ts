import { afterEach, describe, expect, test } from "vitest";
import { isZarrError, type ZarrError } from "../../../src/base/errors.js";
import { parseDraftEntryPoint, writeDraftEntryPoint } from "../../../src/formats/draft/entry-point.js";
import { draftExtensions } from "../../../src/formats/draft/extensions.js";
import { isDraftEntryPoint } from "../../../src/metadata/draft.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";

const CORE = "https://purl.org/zarr/spec/protocol/core/3.0";
const entry: JsonObject = {
  zarr_format: CORE,
  metadata_encoding: CORE,
  metadata_key_suffix: ".json",
  extensions: [],
};
const foo = {
  extension: "http://example.org/zarr/extension/foo",
  must_understand: false,
  configuration: { foo: "bar" },
};

afterEach(() => draftExtensions.clear());

function without(name: string): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([member]) => member !== name));
}
function failure(document: Json): ZarrError {
  try {
    parseDraftEntryPoint(document, { key: "/zarr.json" });
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
  throw new Error("expected an error");
}

describe("the entry point", () => {
  test("is told from the final v3's zarr.json", () => {
    expect(isDraftEntryPoint(entry)).toBe(true);
    expect(isDraftEntryPoint({ zarr_format: "https://purl.org/zarr/spec/protocol/core/4.0" })).toBe(true);
    for (const other of [{ zarr_format: 3, node_type: "group" }, { zarr_format: "3" }, {}, [], null, CORE]) {
      expect(isDraftEntryPoint(other)).toBe(false);
    }
  });

  test("is read and written with exactly four names", () => {
    const read = parseDraftEntryPoint(entry);
    expect(read).toEqual({ metadataKeySuffix: ".json", extensions: [] });
    expect(writeDraftEntryPoint(read)).toEqual(entry);
    const suffixed = { ...entry, metadata_key_suffix: ".zarrmeta", extensions: [foo] };
    expect(writeDraftEntryPoint(parseDraftEntryPoint(suffixed))).toEqual(suffixed);
  });

  test("names that are missing have their defaults", () => {
    expect(parseDraftEntryPoint({ zarr_format: CORE })).toEqual({
      metadataKeySuffix: ".json",
      extensions: [],
    });
    expect(parseDraftEntryPoint({ ...entry, metadata_key_suffix: "" }).metadataKeySuffix).toBe("");
  });

  test("another minor version is compatible, and its names are ignored", () => {
    const later = { ...entry, zarr_format: CORE.replace("3.0", "3.14"), new_in_3_14: true };
    expect(parseDraftEntryPoint(later)).toEqual({ metadataKeySuffix: ".json", extensions: [] });
  });

  test("extensions: ignored if they may be, understood if they are known", () => {
    expect(parseDraftEntryPoint({ ...entry, extensions: [foo] }).extensions).toEqual([foo]);
    const required = { ...foo, must_understand: true };
    expect(failure({ ...entry, extensions: [foo, required] }).message).toContain(
      'expected an extension that is known, as it must be understood (draftExtensions adds some), got "http://example.org',
    );
    draftExtensions.set(foo.extension, {});
    expect(parseDraftEntryPoint({ ...entry, extensions: [required] }).extensions).toEqual([required]);
  });

  const refused: readonly (readonly [string, Json, string | undefined])[] = [
    ["not an object", [entry], undefined],
    ["no format", without("zarr_format"), "zarr_format"],
    ["the final v3", { ...entry, zarr_format: 3 }, "zarr_format"],
    ["another major version", { ...entry, zarr_format: CORE.replace("3.0", "4.0") }, "zarr_format"],
    ["no minor version", { ...entry, zarr_format: CORE.replace("3.0", "3") }, "zarr_format"],
    ["more behind the version", { ...entry, zarr_format: `${CORE}/x` }, "zarr_format"],
    ["another encoding", { ...entry, metadata_encoding: "http://example.org/cbor" }, "metadata_encoding"],
    [
      "the encoding before 2020-09-18",
      { ...entry, metadata_encoding: "application/json" },
      "metadata_encoding",
    ],
    ["a suffix of another type", { ...entry, metadata_key_suffix: 1 }, "metadata_key_suffix"],
    ["a suffix that leaves its folder", { ...entry, metadata_key_suffix: "/../../x" }, "metadata_key_suffix"],
    ["a suffix of other characters", { ...entry, metadata_key_suffix: ".jsön" }, "metadata_key_suffix"],
    ["extensions that are no list", { ...entry, extensions: {} }, "extensions"],
    ["an extension that is no object", { ...entry, extensions: ["x"] }, "extensions[0]"],
    [
      "an extension without URI",
      { ...entry, extensions: [{ must_understand: false }] },
      "extensions[0].extension",
    ],
    [
      "an extension that does not say",
      { ...entry, extensions: [{ extension: "x" }] },
      "extensions[0].must_understand",
    ],
    [
      "an extension that says otherwise",
      { ...entry, extensions: [{ ...foo, must_understand: "no" }] },
      "extensions[0].must_understand",
    ],
  ];
  test.each(refused)("%s is refused", (_, document, member) => {
    expect(failure(document)).toMatchObject({ tag: "InvalidMetadataError", key: "/zarr.json", member });
  });
});
