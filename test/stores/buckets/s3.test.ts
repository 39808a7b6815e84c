/**
 * HttpStore and a server that checks signatures: the Versity S3 Gateway, which scripts/oracles/install.sh
 * builds where there is a Go.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { create, get, HttpStore, type HttpStoreOptions, open, root, set } from "../../../src/index.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { type Keys, presign, type S3Server, serveS3, sign } from "./s3.js";

const executable = readOracles().versitygw?.executable;
if (executable === undefined) {
  warnLoudly(
    "No versitygw: the tests against a server of S3's protocol are SKIPPED. scripts/oracles/install.sh builds it where there is a go.",
  );
}

const reader: Keys = { id: "reader", secret: "reader-secret" };

describe.skipIf(executable === undefined)("a server of S3's protocol", () => {
  let server: S3Server;
  const signed = (keys: Keys): HttpStoreOptions => ({
    authorize: (request) => ({ headers: sign(keys, request) }),
  });
  const expectWhole = async (store: HttpStore | ZipStore): Promise<void> => {
    for (const path of ["shards", "chunks"]) {
      const array = await open(root(store).resolve(path), { kind: "array", dtype: "int16" });
      expect(Array.from((await get(array)).data)).toEqual(Array(64).fill(7));
      expect(await get(array, [5, 5])).toBe(7);
    }
  };

  beforeAll(async () => {
    server = await serveS3(executable ?? "");
    await server.addUser(reader);
    const values = new Map<string, Uint8Array>();
    const options = { shape: [8, 8], chunkShape: [2, 2], dtype: "int16" } as const;
    await set(await create(root(values).resolve("shards"), { ...options, shards: [8, 8] }), null, 7);
    await set(await create(root(values).resolve("chunks"), options), null, 7);
    await server.put("/bucket", "");
    for (const [key, value] of values) await server.put(`/bucket/data${key}`, value);
    const parts: Uint8Array[] = [];
    for await (const part of packZip(values)) parts.push(part.slice());
    await server.put("/bucket/data/all.zip", new Uint8Array(Buffer.concat(parts)));
    // Of what is in the folder, and of nothing beside it: not even whether there is something.
    const Statement = [
      {
        Effect: "Allow",
        Principal: { AWS: [reader.id] },
        Action: ["s3:GetObject"],
        Resource: ["arn:aws:s3:::bucket/data/*"],
      },
    ];
    await server.put("/bucket?policy", JSON.stringify({ Version: "2012-10-17", Statement }));
  });
  afterAll(() => server?.close());

  it("gives nothing to whoever signs nothing, or with another secret", async () => {
    const options = [{}, signed({ ...reader, secret: "wrong" })];
    for (const each of options) {
      const failure = await new HttpStore(`${server.url}/bucket/data`, each).get("/chunks/zarr.json").then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ tag: "StoreError", status: 403, isTransient: false });
    }
  });

  it("is read with signed headers, whole values and ranges", async () => {
    const store = new HttpStore(`${server.url}/bucket/data`, signed(reader));
    await expectWhole(store);
    expect(await store.has("/chunks/zarr.json")).toBe(true);
    expect((await store.getRange("/chunks/zarr.json", { suffixLength: 1 }))?.length).toBe(1);
    await expectWhole(ZipStore.fromUrl(`${server.url}/bucket/data/all.zip`, signed(reader)));
  });

  it("is read with presigned URLs, which are signed anew when they have expired", async () => {
    let renewals = 0;
    let made = new Date(Date.now() - 3_600_000);
    const options: HttpStoreOptions = {
      authorize({ expired, ...request }) {
        if (expired) {
          renewals++;
          made = new Date();
        }
        return { url: presign(reader, request, 600, made) };
      },
    };
    await expectWhole(new HttpStore(`${server.url}/bucket/data`, options));
    expect(renewals).toBe(1);
    await expectWhole(ZipStore.fromUrl(`${server.url}/bucket/data/all.zip`, options));
    expect(renewals).toBe(1);
  });

  it("says 404 of what is missing, and 403 where that is not to be known", async () => {
    const store = new HttpStore(`${server.url}/bucket/data`, signed(reader));
    expect(await store.get("/chunks/c/9/9")).toBeUndefined();
    expect(await store.has("/chunks/c/9/9")).toBe(false);
    const beside = `${server.url}/bucket/other`;
    await expect(new HttpStore(beside, signed(reader)).get("/zarr.json")).rejects.toThrow(
      "missingStatuses: [403]",
    );
    const tolerant = new HttpStore(beside, { ...signed(reader), missingStatuses: [403] });
    expect(await tolerant.get("/zarr.json")).toBeUndefined();
    await expect(open(tolerant)).rejects.toMatchObject({ tag: "NotFoundError" });
  });
});
