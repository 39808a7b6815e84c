/** Which store an address opens, and what documents in buckets may name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MemoryStore } from "../../../src/core/stores/memory.js";
import { open, root, type Store } from "../../../src/index.js";
import { type OpenStoreOptions, openStore } from "../../../src/stores/addresses/open-store.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { serve, type TestServer } from "../../core/stores/server.js";
import icechunk from "../../fixtures/icechunk.json" with { type: "json" };
import parquet from "../../fixtures/references-parquet.json" with { type: "json" };

const encoded = (text: string) => new TextEncoder().encode(text);
const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));

/** Keys that show in a signature, and are no secret. */
const ID = "AKIDEXAMPLE";

const DOCUMENT = {
  ".zgroup": '{"zarr_format":2}',
  near: ["near.bin"],
  up: ["../up.bin", 1, 2],
  named: ["s3://bucket/up.bin"],
  other: ["s3://other/open/a.bin"],
  closed: ["s3://other/opened.bin"],
  missing: ["s3://bucket/none.bin"],
  file: ["file:///etc/passwd"],
  stray: ["s3://bucket/folder/../../other/open/a.bin"],
  azure: ["az://container/a.bin"],
  bad: ["s3://buc ket/a.bin"],
};

let server: TestServer;
let folder: string;
let s3: OpenStoreOptions["s3"];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wazarr-open-store-"));
  const zip: Uint8Array[] = [];
  for await (const part of packZip(new MemoryStore(new Map([["/v", encoded("zipped")]])))) zip.push(part);
  writeFileSync(join(folder, "packed.ozx"), Buffer.concat(zip));
  writeFileSync(join(folder, "unnamed"), Buffer.concat(zip));
  const values = new Map<string, Uint8Array>([
    ["/bucket/folder/refs.json", encoded(JSON.stringify({ version: 1, refs: DOCUMENT }))],
    ["/bucket/folder/near.bin", encoded("near")],
    ["/bucket/up.bin", encoded("up above")],
    ["/other/open/a.bin", encoded("other")],
    ["/other/opened.bin", encoded("closed")],
    ["/bucket/packed.ozx", Buffer.concat(zip)],
    ["/refs.json", encoded(JSON.stringify(DOCUMENT))],
    ["/bucket/not.json", encoded("{")],
  ]);
  for (const [key, base64] of Object.entries(parquet.folders.pyarrow.files))
    values.set(`/bucket/refs.parq/${key}`, bytesOf(base64));
  for (const [key, base64] of Object.entries(icechunk.repositories[2].values)) {
    values.set(`/bucket/repository${key}`, bytesOf(base64));
    const file = join(folder, `repository${key}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytesOf(base64));
  }
  server = await serve(values);
  s3 = { endpoint: server.url, credentials: { accessKeyId: ID, secretAccessKey: "not to be shown" } };
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => server.reset());

async function textAt(store: Store, key: `/${string}`): Promise<string | undefined> {
  const bytes = await store.get(key);
  return bytes && new TextDecoder().decode(bytes);
}

async function failure(store: Store, key: `/${string}`): Promise<string> {
  const error: unknown = await Promise.resolve(store.get(key)).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({ tag: "StoreError" });
  const message = error instanceof Error ? error.message : "";
  expect(message).not.toContain("not to be shown");
  return message;
}

/** Requests as "GET /path", with a star for those that were signed. */
const requested = () =>
  server.requests.map(
    ({ method, key, headers }) => `${method} ${key}${headers.authorization?.includes(ID) ? " *" : ""}`,
  );

describe("references in a bucket", () => {
  test("lead to objects of their own bucket, with its credentials", async () => {
    const store = await openStore("s3://bucket/folder/refs.json", { s3 });
    expect(await textAt(store, "/near")).toBe("near");
    expect(await textAt(store, "/up")).toBe("p ");
    expect(await textAt(store, "/named")).toBe("up above");
    expect(requested()).toEqual([
      "GET /bucket/folder/refs.json *",
      "GET /bucket/folder/near.bin *",
      "GET /bucket/up.bin *",
      "GET /bucket/up.bin *",
    ]);
    expect(await failure(store, "/missing")).toContain(": no such file");
  });

  test("lead to other buckets with credentials only where the caller allows it", async () => {
    const asked: string[] = [];
    const fetched = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.startsWith(server.url)) return fetched(request);
      asked.push(`${request.url} ${request.headers.get("authorization")}`);
      return new Response("public");
    };
    try {
      const store = await openStore("s3://bucket/folder/refs.json", { s3, allow: ["s3://other/open"] });
      expect(await textAt(store, "/other")).toBe("other");
      expect(await textAt(store, "/closed")).toBe("public");
    } finally {
      globalThis.fetch = fetched;
    }
    expect(requested()).toEqual(["GET /bucket/folder/refs.json *", "GET /other/open/a.bin *"]);
    expect(asked).toEqual(["https://other.s3.amazonaws.com/opened.bin null"]);
  });

  test("lead nowhere else, and no request is made", async () => {
    const store = await openStore("s3://bucket/folder/refs.json", {
      s3,
      allow: ["s3://other", "s3://buc ket"],
    });
    server.reset();
    expect(await failure(store, "/file")).toContain("expected an http(s), s3 or gs address");
    expect(await failure(store, "/azure")).toContain("--allow");
    expect(await failure(store, "/stray")).toContain("expected a key of well-formed Unicode");
    expect(await failure(store, "/bad")).toContain("expected an address such as");
    expect(requested()).toEqual([]);
  });

  test("in Parquet lead to the bucket, too", async () => {
    const store = await openStore("s3://bucket/refs.parq", { s3 });
    expect(store).not.toBeInstanceOf(ReferenceStore);
    expect(await textAt(store, "/many/.zarray")).toContain("chunks");
    expect(requested()).toEqual(["GET /bucket/refs.parq/.zmetadata *"]);
  });

  test("that are missing or damaged are errors that name them", async () => {
    await expect(openStore("s3://bucket/none.json", { s3 })).rejects.toThrow(
      "no reference document at s3://bucket/none.json",
    );
    await expect(openStore("s3://bucket/not.json", { s3 })).rejects.toThrow(
      "reference document at s3://bucket/not.json: expected JSON",
    );
  });
});

test("references behind HTTP and in folders lead to buckets that the caller allows", async () => {
  writeFileSync(join(folder, "local.json"), JSON.stringify(DOCUMENT));
  writeFileSync(join(folder, "near.bin"), "local");
  for (const address of [join(folder, "local.json"), `${server.url}/refs.json`]) {
    const store = await openStore(address, { s3, allow: ["s3://"] });
    expect(await textAt(store, "/other")).toBe("other");
    expect(server.requests.at(-1)?.headers.authorization).toContain(ID);
    expect(await failure(store, "/missing")).toContain(": no such file");
  }
  expect(await textAt(await openStore(join(folder, "local.json")), "/near")).toBe("local");
});

describe("addresses", () => {
  test("that end in .ozx or have the segment zip: are archives", async () => {
    for (const address of [
      join(folder, "packed.ozx"),
      `${join(folder, "unnamed")}|zip:`,
      `${server.url}/bucket/packed.ozx?a=b`,
      `${server.url}/bucket/packed.ozx|zip:`,
      `zip::${server.url}/bucket/packed.ozx`,
      "s3://bucket/packed.ozx",
      "s3://bucket/packed.ozx|zip:",
    ]) {
      const store = await openStore(address, { s3 });
      expect(store).toBeInstanceOf(ZipStore);
      expect(await textAt(store, "/v")).toBe("zipped");
    }
  });

  test("of Icechunk repositories may have a branch, a tag or a snapshot", async () => {
    const places = [join(folder, "repository"), `${server.url}/bucket/repository`, "s3://bucket/repository"];
    const known = await IcechunkStore.open(`${server.url}/bucket/repository`);
    const [branches, tags] = [await known.branches(), await known.tags()];
    expect([branches.size, tags.size]).toEqual([2, 1]);
    for (const place of places) {
      const snapshotAt = async (version: string) => {
        const store = await openStore(`${place}|icechunk:${version}`, { s3 });
        return store instanceof IcechunkStore ? store.snapshot : undefined;
      };
      expect(await snapshotAt("")).toBe(branches.get("main"));
      for (const [name, id] of branches)
        expect(await snapshotAt(`//branch.${encodeURIComponent(name)}/`)).toBe(id);
      for (const [name, id] of tags) {
        expect(await snapshotAt(`//tag.${name}`)).toBe(id);
        expect(await snapshotAt(`@${id}/`)).toBe(id);
      }
      await expect(snapshotAt("//branch.none/")).rejects.toMatchObject({ tag: "NotFoundError" });
    }
    const array = await open(
      root(await openStore(`${places[0]}|icechunk://branch.main/|zarr3:`)).resolve("field"),
      {
        kind: "array",
      },
    );
    expect(array.shape).toHaveLength(3);
  });

  test("with an @ of another meaning", async () => {
    mkdirSync(join(folder, "a@b"));
    await expect(openStore(`${join(folder, "a@b")}|icechunk:`)).rejects.toThrow(/no .*repository.*a@b/i);
    const azure = { account: "account", fetch: async () => new Response(null, { status: 404 }) };
    await expect(
      openStore("abfs://container@account.dfs.core.windows.net|icechunk:", { azure }),
    ).rejects.toMatchObject({ tag: "NotFoundError" });
  });
});
