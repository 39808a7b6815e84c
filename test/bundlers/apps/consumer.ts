// Compiled, never run: the types that a user of the package gets.
import { create, get, isZarrError, open, root, slice } from "wazarr";
import { FileSystemStore } from "wazarr/stores/file-system";
import { HttpStore } from "wazarr/stores/http";

const array = await create(root(new FileSystemStore("x.zarr")), { shape: [2, 3], dtype: "float32" });
const { data } = await get(array);
export const floats: Float32Array = data;
export const scalar: number = await get(array, [0, 1]);
// @ts-expect-error a slice gives a chunk, not a scalar
export const wrong: number = await get(array, [0, slice(1)]);
try {
  await open(root(new HttpStore("https://example.org/x.zarr")), { kind: "group" });
} catch (error) {
  if (isZarrError(error, "StoreError")) console.log(error.status);
}
