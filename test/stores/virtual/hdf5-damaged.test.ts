/** Files of h5py with a few other bytes, as attacks found them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openVirtual } from "../../../src/stores/virtual/index.js";

async function changed(name: string, change: (bytes: Uint8Array) => void) {
  const bytes = new Uint8Array(readFileSync(`test/fixtures/virtual/${name}`));
  change(bytes);
  return openVirtual({
    size: bytes.length,
    read: ({ offset, length }) => bytes.subarray(offset, offset + length),
  });
}

test("of two damaged attributes the second is an error, and the first no rejection that nobody handles", async () => {
  const store = await changed("attributes_latest.h5", (bytes) => {
    bytes[1494] = 1;
    bytes.set([203, 7, 0], 5939);
  });
  await expect(store.rootGroup.names()).rejects.toThrow("no object at offset 4294968442");
  // A rejection that nobody handles is seen after the microtasks, and fails the run.
  await new Promise((resolve) => setTimeout(resolve));
});

test("a B-tree of chunks out of order is refused: chunks would look as if they were not stored", async () => {
  const store = await changed("every_index_earliest.h5", (bytes) => {
    const text = Buffer.from(bytes).toString("latin1");
    // Leaves of chunks with at least two entries: after the header a key is a size, a mask, coordinates in
    // two dimensions and in bytes; then comes the address.
    for (let at = text.indexOf("TREE\x01\0"); at >= 0; at = text.indexOf("TREE\x01\0", at + 1))
      if (bytes.subarray(at + 6, at + 8).some((byte, i) => byte > 1 - i))
        bytes.fill(0, at + 24 + 40 + 8, at + 24 + 40 + 24);
  });
  const failures: unknown[] = [];
  for (const name of await store.rootGroup.names()) {
    const node = await store.rootGroup.child(name);
    if (node?.kind !== "array") continue;
    await node.chunk([0, 0]).catch((error: unknown) => failures.push(error));
    const list = async () => {
      for await (const _ of node.chunks());
    };
    await list().catch((error: unknown) => failures.push(error));
  }
  expect(failures.length).toBeGreaterThan(1);
  for (const failure of failures) expect(String(failure)).toContain("expected chunks in order, got [");
});
