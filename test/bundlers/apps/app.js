// A tiny application: reads real data by HTTP, and writes and reads what makes the package load most of its
// lazy chunks.
import { create, get, open, root, set, slice } from "wazarr";
import { HttpStore } from "wazarr/stores/http";

/** @param {string} url of a directory with jacksboro.zarr */
export async function run(url) {
  const store = new HttpStore(`${url}/jacksboro.zarr`);
  const elevation = await open(root(store).resolve("elevation"), { kind: "array" });
  const region = await get(elevation, [slice(126, 130), slice(254, 259)]);
  const array = await create(root(), {
    shape: [4],
    dtype: "complex64",
    codecs: [
      {
        name: "blosc",
        configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
      },
      "gzip",
      "crc32c",
    ],
  });
  await set(array, [slice(1, 3)], { re: 1, im: -2 });
  const { data } = await get(array);
  return { region: Array.from(region.data), complex: Array.from(data, ({ re, im }) => [re, im]) };
}
