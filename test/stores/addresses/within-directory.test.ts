/** What a local document, and links in a local repository, lead to: nothing outside of their folder. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { get, open, root } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { openerOfFiles } from "../../../src/stores/addresses/within-directory.js";
import fixtures from "../../fixtures/icechunk.json" with { type: "json" };

const folder = mkdtempSync(join(tmpdir(), "wazarr-within-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["1", "2"] as const)(
  "links that lead out of an Icechunk repository of format %s are refused",
  async (version) => {
    const repository = join(folder, `repository${version}`);
    const outside = join(folder, `outside${version}`);
    mkdirSync(outside);
    for (const [key, base64] of Object.entries(fixtures.repositories[version].values)) {
      mkdirSync(dirname(join(repository, key)), { recursive: true });
      writeFileSync(join(repository, key), Buffer.from(base64, "base64"));
    }
    const read = async (allow?: string[]) => {
      const array = await open(root(await openStore(repository, { allow })).resolve("field"), {
        kind: "array",
      });
      return get(array);
    };
    const expected = await read();
    for (const name of readdirSync(join(repository, "chunks"))) {
      renameSync(join(repository, "chunks", name), join(outside, name));
      symlinkSync(join(outside, name), join(repository, "chunks", name));
    }
    await expect(read()).rejects.toMatchObject({
      tag: "StoreError",
      message: expect.stringContaining("a link leads out"),
    });
    expect(await read([outside])).toEqual(expected);
  },
);

describe("the files of a document", () => {
  const inside = join(folder, "documents");
  mkdirSync(inside);
  writeFileSync(join(inside, "a"), "inside");
  writeFileSync(join(folder, "documents-b"), "outside");

  async function read(address: string, allow?: string[]): Promise<string | undefined> {
    const opened = openerOfFiles(inside, allow)(address);
    const bytes = await opened?.store.get(opened.key);
    return bytes && new TextDecoder().decode(bytes);
  }

  test.each(["a", "./a", "../documents/a", join(inside, "a"), `file://${inside}/a`])(
    "%s is read",
    async (address) => {
      expect(await read(address)).toBe("inside");
    },
  );

  test.each([
    "../documents-b",
    join(folder, "documents-b"),
    `file://${folder}/documents-b`,
    "../nothing",
    "/etc/hostname",
    "/",
    "file:///",
    "",
    ".",
    "//host/share/a",
    "file://host.example/a",
    "file:///a%2Fb",
  ])("%j is refused", async (address) => {
    await expect((async () => read(address))()).rejects.toMatchObject({ tag: "StoreError" });
  });

  test("of other schemes are left to the store", () => {
    for (const address of ["http://x.test/a", "s3://bucket/a", "data:,a"])
      expect(openerOfFiles(inside)(address)).toBeUndefined();
  });

  test("are those that were allowed, too: by path, or URL", async () => {
    for (const allow of [folder, join(folder, "documents-b"), `file://${folder}`])
      expect(await read("../documents-b", [allow])).toBe("outside");
    await expect(read("../documents-b", [join(folder, "documents-")])).rejects.toThrow(/outside of/);
  });
});
