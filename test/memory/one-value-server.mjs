// Serves one value for all chunks over HTTP, in a process of its own, so that it is none of the reader's
// memory: see read-large.mjs.
import { createServer } from "node:http";

process.once("message", ({ document, value }) => {
  const server = createServer(({ url = "", method, headers }, response) => {
    const body = url.includes("/c/") ? value : url === "/zarr.json" ? document : undefined;
    const [range, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
    if (body === undefined || range === undefined) {
      response.writeHead(body ? 200 : 404, { "content-length": body?.length ?? 0 });
      response.end(method === "HEAD" ? undefined : body);
      return;
    }
    const start = first === "" ? body.length - Number(last) : Number(first);
    const part = body.subarray(start, first === "" ? body.length : Number(last) + 1);
    response.writeHead(206, {
      "content-length": part.length,
      "content-range": `bytes ${start}-${start + part.length - 1}/${body.length}`,
    });
    response.end(part);
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
});
process.once("disconnect", () => process.exit());
