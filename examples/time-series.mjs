// A series that grows by an hour at a time, and looked at in a few places: `npm run build && node
// examples/time-series.mjs`.
import { append, create, getOrthogonal, slice, updateAttributes } from "wazarr";

const [rows, columns] = [60, 90];
let array = await create(new Map(), {
  shape: [0, rows, columns],
  chunkShape: [24, rows, columns],
  dtype: "float32",
  codecs: [{ name: "blosc", configuration: { cname: "zstd", clevel: 5, shuffle: "shuffle" } }],
  dimensionNames: ["time", "latitude", "longitude"],
});

for (let hour = 0; hour < 48; hour++) {
  const warmth = Math.sin(((hour - 8) / 24) * 2 * Math.PI);
  const data = Float32Array.from(
    { length: rows * columns },
    (_, i) => 15 + 5 * warmth - Math.floor(i / columns) / 6,
  );
  // Whoever opens the array meanwhile finds all of an hour or nothing of it.
  array = await append(array, { data, shape: [1, rows, columns] });
}
array = await updateAttributes(array, { units: "degree_Celsius" });

const places = [5, 30, 55];
const { data, shape } = await getOrthogonal(array, [slice(null, null, 6), places, 45]);
console.log(`${array.shape.join(" x ")} ${array.dtype}, every sixth hour in rows ${places.join(", ")}:`);
for (let i = 0; i < shape[0]; i++) {
  const values = [...data.subarray(i * shape[1], (i + 1) * shape[1])].map((value) =>
    value.toFixed(1).padStart(6),
  );
  console.log(`${String(i * 6).padStart(4)} h ${values.join("")} ${array.attrs.units}`);
}
