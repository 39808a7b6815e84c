/**
 * Everything that other implementations wrote into test/fixtures is read, by both kinds of kernels, to the
 * last bit.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setKernels } from "../../src/extend.js";
import { type AbsolutePath, get, open, root, slice } from "../../src/index.js";
import tensorstore from "../fixtures/tensorstore.json?raw";
import zarrPython from "../fixtures/zarr-python.json?raw";
import zarrPython2 from "../fixtures/zarr-python-2.json?raw";
import zarrita from "../fixtures/zarrita.json?raw";
import { expectAttributes } from "./attributes.js";
import { bytesFromBase64, everySecondBackwards, expectElements, scalarFromHex } from "./elements.js";

interface ExpectedNode {
  readonly path: AbsolutePath;
  readonly zarr_format: 2 | 3;
  /** JSON text. */
  readonly attributes: string;
}
interface ExpectedArray extends ExpectedNode {
  readonly data_type: string;
  readonly shape: readonly number[];
  readonly chunk_shape: readonly number[];
  readonly fill_value: string | null;
  readonly data: string;
  readonly dimension_names?: readonly (string | null)[] | null;
}
interface Fixture {
  readonly writer: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly groups: readonly ExpectedNode[];
  readonly arrays: readonly ExpectedArray[];
  readonly store: Readonly<Record<AbsolutePath, string>>;
}

function parseFixture(text: string): Fixture {
  return JSON.parse(text);
}

function storeOf({ store }: Fixture): Map<string, Uint8Array> {
  return new Map(Object.entries(store).map(([key, value]) => [key, bytesFromBase64(value)]));
}

const fixtures = [zarrPython, zarrPython2, tensorstore, zarrita].map(parseFixture);

describe.each(["wasm", "javascript"] as const)("%s kernels", (kernels) => {
  beforeAll(() => setKernels(kernels));
  afterAll(() => setKernels("auto"));

  for (const fixture of fixtures)
    describe(fixture.writer, () => {
      const store = storeOf(fixture);

      for (const expected of fixture.arrays) {
        it(`array ${expected.path}`, async () => {
          const location = root(store).resolve(expected.path);
          const array = await open(location, { kind: "array" });
          expect(array.metadata.zarrFormat).toBe(expected.zarr_format);
          expect(array.dtype).toBe(expected.data_type);
          expect(array.shape).toEqual(expected.shape);
          expect(array.chunks).toEqual(expected.chunk_shape);
          expect(array.fillValue).toBe(
            expected.fill_value === null ? null : scalarFromHex(expected.data_type, expected.fill_value),
          );
          expect(array.dimensionNames).toEqual(expected.dimension_names?.map((name) => name ?? ""));
          expect(array.metadata.dimensionNames).toEqual(expected.dimension_names ?? undefined);
          expectAttributes(array.attrs, expected.attributes);

          expectElements(await get(array), expected);
          // Again, and of the very same stored bytes: reading must not have changed them.
          expectElements(await get(array), expected);
          const backwards = await get(
            array,
            expected.shape.map(() => slice(null, null, -2)),
          );
          expectElements(backwards, everySecondBackwards(expected.data_type, expected.shape, expected.data));
        });
      }

      it("leaves the store as it was", () => {
        expect([...store].map(([key, value]) => [key, [...value]])).toEqual(
          [...storeOf(fixture)].map(([key, value]) => [key, [...value]]),
        );
      });

      for (const expected of fixture.groups) {
        it(`group ${expected.path}`, async () => {
          const group = await open(root(store).resolve(expected.path), { kind: "group" });
          expect(group.metadata.zarrFormat).toBe(expected.zarr_format);
          expectAttributes(group.attrs, expected.attributes);
        });
      }
    });
});
