// Reads into shared memory again and again and holds none of it, in a process of its own: see memory.test.ts
// and memory.nightly.test.ts.
import { create, get } from "../../dist/index.js";

const { reads, elements } = JSON.parse(process.argv[2]);
const array = await create(new Map(), {
  codecs: [],
  shape: [elements],
  chunkShape: [2 ** 18],
  dtype: "float32",
  fillValue: 1,
});
let most = 0;
let wrong = 0;
for (let i = 0; i < reads; i++) {
  const { data } = await get(array, null, { shared: true });
  wrong += data[i] - 1 + data[data.length - 1] - 1;
  most = Math.max(most, process.memoryUsage().rss);
}
console.log(JSON.stringify({ wrong, most }));
