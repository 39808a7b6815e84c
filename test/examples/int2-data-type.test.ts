import { expect, it } from "vitest";
import { Int2Array, int2, writeAndRead } from "../../examples/int2-data-type.js";
import { create, get, set } from "../../src/index.js";

it.each([2, 3] as const)("the int2 example writes and reads Zarr v%i", async (zarrFormat) => {
  const { values, metadata } = await writeAndRead(zarrFormat);
  expect(values).toEqual([-1, -2, 0, 1, -2, -2]);
  expect(JSON.parse(metadata)).toMatchObject(
    zarrFormat === 2
      ? { zarr_format: 2, dtype: "int2", fill_value: -2 }
      : { zarr_format: 3, data_type: "int2", fill_value: -2 },
  );
});

it("its chunks hold two bits an element, and its values are checked", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { codecs: [], shape: [4], dtype: int2, chunkShape: [4] });
  await set(array, null, Int2Array.from([-1, -2, 0, 1]));
  expect(store.get("/c/0")).toEqual(Uint8Array.of(3, 2, 0, 1));
  store.set("/c/0", Uint8Array.of(0xff, 0xfe, 0xfc, 0xfd));
  expect((await get(array)).data.toArray()).toEqual([-1, -2, 0, 1]);
  await expect(set(array, [0], 2)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  await expect(
    create(store, { codecs: [], shape: [1], dtype: int2, fillValue: 0.5, overwrite: true }),
  ).rejects.toMatchObject({
    tag: "InvalidArgumentError",
  });
});
