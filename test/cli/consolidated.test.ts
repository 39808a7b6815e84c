/** Hierarchies behind a web server, which cannot list: known by their consolidated metadata. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { consolidateMetadata, create, root, set, withConsolidatedMetadata } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { lines, useCommandLine } from "./use-command-line.js";

const { at, run, wazarr } = useCommandLine();

test.each([2, 3] as const)("tree and copy of v%i over HTTP", async (zarrFormat) => {
  const values = new Map<string, Uint8Array>();
  await create(values, { zarrFormat });
  const array = await create(root(values).resolve("a"), { shape: [2], dtype: "int16", zarrFormat });
  await set(array, null, 5);
  const server = createServer((request, response) => {
    const value = values.get(request.url ?? "");
    if (value === undefined) response.writeHead(404);
    response.end(value);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const blind = await run("tree", url);
    expect(blind.status).toBe(1);
    expect(lines(blind).join()).toMatch(/cannot be listed.*name an array/);
    expect(await consolidateMetadata(values)).toBe(2);
    expect(await wazarr("tree", url)).toBe("/\n└── a [2] int16\n");
    const copied = at(`copied-${zarrFormat}.zarr`);
    await wazarr("copy", url, copied);
    expect(await wazarr("tree", copied)).toBe("/\n└── a [2] int16\n");
    expect(JSON.parse(await wazarr("get", copied, "/a", "--out", "-"))).toMatchObject({ data: [5, 5] });
    const known = await withConsolidatedMetadata(new FileSystemStore(copied));
    expect(known.contents().map(({ path }) => path)).toEqual(["/", "/a"]);
    const again = new Map<string, Uint8Array>();
    await copyNode(new FileSystemStore(copied), again);
    expect((await withConsolidatedMetadata(again)).contents()).toHaveLength(2);
    await create(root(new FileSystemStore(copied)).resolve("b"), { zarrFormat });
    expect(await wazarr("consolidate", copied)).toBe("3 nodes\n");
  } finally {
    server.close();
  }
});
