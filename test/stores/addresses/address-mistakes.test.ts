/** Mistakes in addresses of `openStore`, and in what a ZipStore is made of: what the error says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { open } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-addresses-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "data.zarr"));
writeFileSync(join(folder, "data.zarr", "zarr.json"), '{"zarr_format":3,"node_type":"group"}');
writeFileSync(join(folder, "damaged.zip"), "no archive");
writeFileSync(join(folder, "list.json"), "[");

/** Calls it as JavaScript may, with a value of any type. */
const called = (action: unknown, ...given: readonly unknown[]): unknown =>
  typeof action === "function" ? Reflect.apply(action, undefined, given) : undefined;
const made = (...given: readonly unknown[]): unknown => Reflect.construct(ZipStore, given);

test.each<readonly [string, RegExp]>([
  ["ftp://example.com/a.zarr", /ftp:\/\/ cannot be opened, only paths and https:\/\/.*s3:\/\//],
  ["S3://bucket/a", /S3:\/\/ cannot be opened, .*in lower case/],
  ["s3:/bucket/a", /two slashes are missing, s3:\/\//],
  ["https:example.com", /two slashes are missing, https:\/\//],
  ["icechunk:", /write "ADDRESS\|icechunk:"/],
  ["icechunk:s3://b/r@tag:v1", /write "s3:\/\/b\/r\|icechunk:\/\/tag\.v1\/"/],
  ["zip:data.bin", /write "data\.bin\|zip:"/],
  ["virtual:data.bin", /write "data\.bin\|virtual:"/],
  ["zip://data", /write "ADDRESS\|zip:"/],
  ["", /expected an address, such as "data.zarr"/],
  ["file://host/data.zarr", /not a path of this machine/],
])("the address %j", async (address, message) => {
  await expect(openStore(address)).rejects.toMatchObject({
    tag: "InvalidArgumentError",
    message: expect.stringMatching(message),
  });
});

test.each<readonly [string, unknown, RegExp]>([
  ["nothing", undefined, /expected an address, .*got undefined/],
  ["a store", new FileSystemStore(folder), /got a store: give it to open\(\) itself/],
  ["a promise", Promise.resolve("data.zarr"), /did you forget `await`/],
])("%s in place of an address", async (_, given, message) => {
  await expect(called(openStore, given)).rejects.toMatchObject({
    tag: "InvalidArgumentError",
    message: expect.stringMatching(message),
  });
});

test("URL objects, and file: URLs of archives", async () => {
  const url = pathToFileURL(join(folder, "data.zarr"));
  expect((await open(await openStore(url))).kind).toBe("group");
  expect((await openStore(new URL("https://example.com/data.zarr"))).kind).toBe("network");
  const parts: Uint8Array[] = [];
  for await (const part of packZip(new FileSystemStore(join(folder, "data.zarr")))) parts.push(part);
  writeFileSync(join(folder, "packed.zip"), Buffer.concat(parts));
  expect((await open(await openStore(pathToFileURL(join(folder, "packed.zip")).href))).kind).toBe("group");
});

test.each<readonly [string, RegExp]>([
  ["dat.zarr", /dat\.zarr: looked for .*; there is no such directory: did you mean "data\.zarr"\?/],
  ["list.txt", /; there is no such directory/],
  ["data.zarr@tag:v1", /did you mean ".*data\.zarr\|icechunk:\/\/tag\.v1\/"\?/],
])("a directory that is not there, %s", async (name, message) => {
  await expect(open(await openStore(join(folder, name)))).rejects.toThrow(message);
});

test("a file in place of a directory", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(open(new FileSystemStore(join(folder, "file")))).rejects.toThrow(/; that is a file/);
  expect(() => new FileSystemStore(join(folder, "damaged.zip"))).toThrow(/an archive: ZipStore/);
});

test("a repository of Icechunk that is not there: where, and how an address names a revision", async () => {
  const address = `${join(folder, "data.zarr")}|icechunk:`;
  await expect(openStore(address)).rejects.toThrow(/the branch "main" in \/.*data\.zarr/);
  await expect(openStore(`${address}//v1/`)).rejects.toThrow(
    /"\|icechunk:\/\/v1\/": expected icechunk:\/\/branch\.NAME/,
  );
});

test.each([
  [{ tag: "v1" }, /no option "tag": the address says it, "data\|icechunk:\/\/tag\.NAME\/"/],
  [{ branch: "v1" }, /no option "branch": .*"data\|icechunk:\/\/branch\.NAME\/"/],
  [{ allow: "s3://" }, /allow: expected a list, got "s3:\/\/"/],
])("options %j", async (options, message) => {
  await expect(called(openStore, folder, options)).rejects.toThrow(message);
});

test("documents of references say where they are", async () => {
  await expect(openStore(join(folder, "list.json"))).rejects.toThrow(
    `reference document at ${join(folder, "list.json")}: expected JSON`,
  );
});

test.each<readonly [string, readonly unknown[], RegExp]>([
  ["a name", ["cells.ozx"], /ZipStore: expected a store and the archive's key .*got "cells\.ozx"; .*fromUrl/],
  ["bytes", [new Uint8Array(8)], /got a Uint8Array; .*fromBlob/],
  ["no key", [new FileSystemStore(folder)], /got the key undefined/],
  ["a key without /", [new FileSystemStore(folder), "damaged.zip"], /got the key "damaged\.zip"/],
])("a ZipStore of %s", (_, given, message) => {
  expect(() => made(...given)).toThrow(message);
});

test("a ZipStore of what is no Blob", () => {
  expect(() => called(ZipStore.fromBlob, "cells.ozx")).toThrow(/expected a Blob or File, got "cells\.ozx"/);
  expect(() => called(ZipStore.fromBlob, new Uint8Array(8))).toThrow(/new Blob\(\[bytes\]\)/);
});

test("an archive that cannot be opened: its key once, and its folder", async () => {
  const errorOf = async (name: string): Promise<string> =>
    open(await openStore(join(folder, name))).then(
      () => "opened",
      (error: unknown) => String(error),
    );
  expect(await errorOf("none.zip")).toBe(
    `StoreError: cannot open the archive: no such file in ${folder} (key "/none.zip")`,
  );
  mkdirSync(join(folder, "directory"));
  const ofDirectory = await openStore(`${join(folder, "directory")}|zip:`);
  await expect(open(ofDirectory)).rejects.toThrow(/^(?!.*key.*key).*got a directory/);
  expect(await errorOf("damaged.zip")).toMatch(/the file is incomplete or not a zip archive/);
});
