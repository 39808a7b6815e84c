// A view that scrolls over an array behind a slow network: what is nearest comes first, what has left the
// view is never asked for, and the next tiles come in the background. `npm run build && node
// examples/scrolling.mjs`.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { get, HttpStore, open, prefetch, slice } from "wazarr";
import { ChunkCache } from "wazarr/caches";
import { RequestQueue } from "wazarr/stores";

const asked = [];
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname.includes("/c/")) asked.push(pathname.split("/c/")[1]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const value = await readFile(new URL(`data${pathname}`, import.meta.url)).catch(() => undefined);
  response.writeHead(value ? 200 : 404).end(value);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/jacksboro.zarr/elevation`;

const queue = new RequestQueue({ limit: 1 }); // a page would have 6, or more: docs/stores-http.md#priority
const array = await open(new HttpStore(url, { queue }), { kind: "array" });
const cache = new ChunkCache({ maxBytes: 64 << 20 });
const tileBox = (row, column) => [slice(row * 128, row * 128 + 128), slice(column * 128, column * 128 + 128)];

let centre = 0; // the column of tiles in the middle of the view
const tiles = [0, 1, 2, 3].map((column) => ({ column, abort: new AbortController() }));
const drawn = tiles.map(async ({ column, abort }) => {
  // Asked for anew whenever a request can begin: above 0, so that all of them come before what is prefetched.
  const priority = () => 10 - Math.abs(column - centre);
  await get(array, tileBox(0, column), { cache, priority, signal: abort.signal });
  return column;
});
const ahead = prefetch(array, tileBox(1, 3), { cache }); // the row below, in the background

centre = 3; // the user scrolls while tile 0 is on its way
tiles[1].abort.abort(new Error("out of view"));

for (const [column, tile] of (await Promise.allSettled(drawn)).entries())
  console.log(`tile ${column}: ${tile.status === "fulfilled" ? "drawn" : tile.reason.message}`);
await ahead;
console.log(`the server was asked for ${asked.join(", ")}`);
server.close();
server.closeAllConnections();
