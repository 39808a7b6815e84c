/** Stores of buckets, against servers that scripts/oracles/install.sh installs. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ConflictError } from "../../../src/base/errors.js";
import { putInFrontOfStore } from "../../../src/core/stores/in-front.js";
import type { AbsolutePath } from "../../../src/core/stores/store.js";
import { create, get, open, root, set } from "../../../src/index.js";
import type { OpenStoreOptions } from "../../../src/stores/addresses/open-store.js";
import { AzureStore, type AzureStoreOptions } from "../../../src/stores/buckets/azure.js";
import type { BucketOptions, BucketStore } from "../../../src/stores/buckets/bucket-store.js";
import { GcsStore } from "../../../src/stores/buckets/gcs.js";
import { S3Store, type S3StoreOptions } from "../../../src/stores/buckets/s3.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { describeStore, expectBytes, pattern } from "../conformance.js";
import { azureSas, type BucketServer, serveAzure, serveGcs, serveMoto } from "./bucket-servers.js";
import { serveS3 } from "./s3.js";

const { versitygw, azurite, fakeGcs, moto } = readOracles();

interface Wrong {
  readonly options: (server: BucketServer) => S3StoreOptions & AzureStoreOptions;
  readonly code: string;
  readonly advice?: string;
  /** Hours that the clock of this machine is behind. */
  readonly late?: number;
}

interface Service {
  readonly name: string;
  readonly executable: string | undefined;
  serve(executable: string): Promise<BucketServer>;
  /** Of addresses, and the options of `openStore` for a server. */
  readonly scheme: "s3" | "az" | "gs";
  optionsAt(server: BucketServer): OpenStoreOptions;
  store(server: BucketServer, path: string, options?: S3StoreOptions & AzureStoreOptions): BucketStore;
  /** Options that are wrong, what the service calls that, and what the error says of it. */
  readonly wrong?: readonly Wrong[];
  /** The shortest part of a longer value. */
  readonly leastPart: number;
  /** Whether it says of a read that the bucket is missing. */
  readonly namesBuckets: boolean;
  /** For a service whose requests may be changed: pages of three names. */
  readonly pagesOfThree?: BucketOptions;
}

/** Changes requests on their way. */
const changed = (change: (url: string) => string): BucketOptions => ({
  fetch: async (request) => {
    const { method, headers, url } = request;
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    return fetch(change(url), { method, headers, body });
  },
});

function credentialsOf({ user }: BucketServer) {
  if (user === undefined) throw new Error("a server without users");
  return { accessKeyId: user.id, secretAccessKey: user.secret };
}

const ofS3 = {
  scheme: "s3",
  optionsAt: (server: BucketServer) => ({
    s3: { endpoint: server.url, credentials: credentialsOf(server) },
  }),
  store: (server: BucketServer, path: string, options?: S3StoreOptions) =>
    new S3Store(`s3://${path}`, { endpoint: server.url, credentials: credentialsOf(server), ...options }),
  leastPart: 5 << 20,
  namesBuckets: true,
} as const;

const wrongOfS3: readonly Wrong[] = [
  {
    options: (server) => ({
      credentials: { ...credentialsOf(server), secretAccessKey: "another secret" },
    }),
    code: "SignatureDoesNotMatch",
    advice: "check `secretAccessKey`",
  },
  {
    options: (server) => ({ credentials: { ...credentialsOf(server), accessKeyId: "nobody" } }),
    code: "InvalidAccessKeyId",
    advice: "check `accessKeyId`",
  },
  {
    options: (server) => ({ credentials: { ...credentialsOf(server), sessionToken: "another secret" } }),
    code: "InvalidToken",
    advice: "check `sessionToken`",
  },
];

const services: readonly Service[] = [
  {
    ...ofS3,
    name: "S3Store",
    executable: versitygw?.executable,
    async serve(executable) {
      const server = await serveS3(executable);
      return { ...server, user: server.root, createBucket: (name) => server.put(`/${name}`, "") };
    },
    wrong: [
      ...wrongOfS3,
      {
        options: () => ({ region: "eu-west-1" }),
        code: "AuthorizationHeaderMalformed",
        advice: 'pass `region: "us-east-1"`',
      },
      { options: () => ({}), late: 2, code: "RequestTimeTooSkewed", advice: "set the clock of this machine" },
    ],
  },
  {
    ...ofS3,
    name: "S3Store at moto",
    executable: moto?.executable,
    serve: serveMoto,
    wrong: wrongOfS3,
  },
  {
    name: "AzureStore",
    executable: azurite?.executable,
    serve: serveAzure,
    scheme: "az",
    optionsAt: ({ url }) => ({ azure: { endpoint: url, sas: azureSas("rwdl", 3600) } }),
    store: ({ url }, path, options) =>
      new AzureStore(`az://${path}`, { endpoint: url, sas: azureSas("rwdl", 3600), ...options }),
    leastPart: 1 << 20,
    wrong: [{ options: () => ({ sas: azureSas("rwdl", -3600) }), code: "AuthorizationFailure" }],
    pagesOfThree: changed((url) => url.replace("maxresults=1000", "maxresults=3")),
    namesBuckets: true,
  },
  {
    name: "GcsStore",
    executable: fakeGcs?.executable,
    serve: serveGcs,
    scheme: "gs",
    optionsAt: ({ url }) => ({ gcs: { endpoint: url } }),
    store: ({ url }, path, options) => new GcsStore(`gs://${path}`, { endpoint: url, ...options }),
    leastPart: 256 << 10,
    pagesOfThree: changed((url) => url.replace("maxResults=1000", "maxResults=3")),
    namesBuckets: false,
  },
];

/** Elements that each of two processes writes. */
const ROUNDS = 6;

for (const {
  name,
  executable,
  serve,
  scheme,
  optionsAt,
  store,
  leastPart,
  namesBuckets,
  pagesOfThree,
  wrong = [],
} of services) {
  if (executable === undefined) {
    const install = `scripts/oracles/install.sh${/Gcs|moto/.test(name) ? " nightly" : ""}`;
    warnLoudly(`No server for ${name}: its tests are SKIPPED. ${install} installs it.`);
  }
  describe.skipIf(executable === undefined)(name, () => {
    let server: BucketServer;
    let count = 0;
    beforeAll(async () => {
      server = await serve(executable ?? "");
      await server.createBucket("bucket");
    });
    afterAll(() => server?.close());
    const fresh = (options?: BucketOptions) => store(server, `bucket/folder ${count++}/é`, options);

    describeStore(
      name,
      async (values) => {
        const made = fresh();
        await Promise.all(Array.from(values, ([key, value]) => made.set(key, value)));
        return made;
      },
      { canWrite: true, canDelete: true, canList: true, isExact: true, tells: ["length", "version"] },
    );

    it("lists in pages, at any depth and one level", async () => {
      const made = fresh(pagesOfThree);
      const keys = Array.from({ length: pagesOfThree ? 10 : 1005 }, (_, i): AbsolutePath => `/a/${i}/x`);
      await Promise.all(keys.map((key) => made.set(key, pattern(1))));
      const found: AbsolutePath[] = [];
      for await (const key of made.list()) found.push(key);
      expect(found.sort()).toEqual(keys.toSorted());
      expect((await made.listDir("/a/")).prefixes.toSorted()).toEqual(
        keys.map((key) => key.slice(0, -1)).sort(),
      );
      await made.deleteMany([...keys, "/missing", "/a/missing"]);
      for await (const key of made.list()) expect(key).toBeUndefined();
    }, 60_000);

    it("writes if the version is the one that was read, and throws ConflictError otherwise", async () => {
      const made = fresh();
      const versionOf = async () => (await made.getParts("/v", undefined))?.version;
      await made.set("/v", pattern(5), { ifVersion: null });
      const first = await versionOf();
      await expect(made.set("/v", pattern(6), { ifVersion: null })).rejects.toThrow(ConflictError);
      await made.set("/v", pattern(7), { ifVersion: first });
      await expect(made.set("/v", pattern(8), { ifVersion: first })).rejects.toThrow(ConflictError);
      expectBytes(await made.get("/v"), pattern(7));
      await made.delete("/v");
      await expect(made.set("/v", pattern(8), { ifVersion: first })).rejects.toThrow(ConflictError);
      expect(await made.get("/v")).toBeUndefined();
    });

    it("keeps the elements of processes that change one chunk, and one shard", async () => {
      const path = `bucket/shared ${count++}`;
      // Stores of one process would wait for each other, in their place.
      const another = () => putInFrontOfStore(store(server, path), { place: {} });
      const layouts = { chunk: { chunkShape: [8, 4] }, shard: { chunkShape: [4, 2], shards: [8, 4] } };
      for (const [node, layout] of Object.entries(layouts)) {
        await create(root(another()).resolve(node), { shape: [8, 4], dtype: "int16", ...layout });
        const opened = () => open(root(another()).resolve(node), { kind: "array", dtype: "int16" });
        const columns = [0, 1, 2, 3].map(async (column) => set(await opened(), [null, column], 1 + column));
        await Promise.all(columns);
        const { data } = await get(await opened());
        expect(Array.from(data)).toEqual(Array.from({ length: 32 }, (_, i) => 1 + (i % 4)));
      }
    });

    it("keeps the elements that two processes write into one chunk, again and again", async () => {
      const path = `bucket/processes ${count++}`;
      await create(store(server, path), { shape: [ROUNDS, 2], chunkShape: [ROUNDS, 2], dtype: "int16" });
      const folder = mkdtempSync(join(tmpdir(), "wazarr-buckets-"));
      try {
        const program = join(folder, "writer.mjs");
        const source = `
          import { open, set } from "./src/index.ts";
          import { openStore } from "./src/stores/addresses/open-store.ts";
          const [address, column, options] = process.argv.slice(2);
          const array = await open(await openStore(address, JSON.parse(options)), { kind: "array" });
          for (let row = 0; row < ${ROUNDS}; row++) await set(array, [row, Number(column)], 1 + row);`;
        await build({
          ...{ stdin: { contents: source, resolveDir: process.cwd() }, outfile: program, logLevel: "error" },
          ...{ bundle: true, format: "esm", platform: "node", target: "node20" },
        });
        const address = `${scheme}://${path}`;
        const options = JSON.stringify(optionsAt(server));
        const run = promisify(execFile);
        await Promise.all(
          ["0", "1"].map((column) => run(process.execPath, [program, address, column, options])),
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
      const { data } = await get(await open(store(server, path), { kind: "array", dtype: "int16" }));
      expect(Array.from(data)).toEqual(Array.from({ length: 2 * ROUNDS }, (_, i) => 1 + (i >> 1)));
    }, 60_000);

    it.each(wrong)(
      "says $code, what to do, and no secret",
      async ({ options, code, advice = "", late = 0 }) => {
        const refused = store(server, "bucket/x", options(server));
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - late * 3_600_000 });
        try {
          for (const work of [
            () => refused.get("/a"),
            () => refused.set("/a", pattern(1), { ifVersion: null }),
            () => refused.listDir("/"),
          ]) {
            const error: unknown = await work().then(
              () => undefined,
              (reason: unknown) => reason,
            );
            expect(error).toMatchObject({ tag: "StoreError", code, isTransient: false });
            const message = inspect(error);
            expect(message).toContain(advice);
            expect(message).not.toMatch(/another secret|sig=/);
            expect(message).not.toContain(server.user?.secret ?? "another secret");
          }
        } finally {
          vi.useRealTimers();
        }
      },
    );

    it("stores long values in parts, as a whole or not at all", async () => {
      const made = fresh({ partBytes: leastPart });
      const long = pattern(2 * leastPart + 1000);
      await made.set("/long", long, { ifVersion: null });
      expectBytes(await made.get("/long"), long);
      const version = (await made.getParts("/long", [{ offset: 0, length: 1 }]))?.version;
      await expect(made.set("/long", pattern(leastPart + 1, 2), { ifVersion: null })).rejects.toThrow(
        ConflictError,
      );
      expectBytes(await made.get("/long"), long);
      await made.set("/long", pattern(leastPart + 1, 2), { ifVersion: version });
      expectBytes(await made.get("/long"), pattern(leastPart + 1, 2));
    });

    it("tells a bucket that is missing from a value that is", async () => {
      const missing = store(server, "no-such-bucket");
      const error = expect.objectContaining({ tag: "StoreError", status: 404, isTransient: false });
      if (namesBuckets) await expect(missing.get("/a")).rejects.toEqual(error);
      await expect(missing.set("/a", pattern(1))).rejects.toEqual(error);
      await expect(missing.listDir("/")).rejects.toEqual(error);
    });
  });
}
