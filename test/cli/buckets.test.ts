/** The command line and jobs on buckets, with a server that checks signatures. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPrefix } from "../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, get, open, set } from "../../src/index.js";
import { openStore } from "../../src/stores/addresses/open-store.js";
import { planCopy, runLocal } from "../../src/work/jobs.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { azureSas, type BucketServer, serveAzure, serveGcs } from "../stores/buckets/bucket-servers.js";
import { type S3Server, serveS3 } from "../stores/buckets/s3.js";
import { DATA, useCommandLine } from "./use-command-line.js";

const { versitygw, azurite, fakeGcs } = readOracles();
if (!versitygw) warnLoudly("No versitygw: the tests of copies into a bucket are SKIPPED.");

const SHAPE = [24, 64, 64];
const LAYOUT = ["--chunks", "24,8,8", "--max-memory", "33.6MB"];

/** Sets variables of the environment while the tests of a block run. */
function environment(variables: () => Readonly<Record<string, string>>): void {
  const before = new Map<string, string | undefined>();
  beforeAll(() => {
    for (const [name, value] of Object.entries(variables())) {
      before.set(name, process.env[name]);
      process.env[name] = value;
    }
  });
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

describe.skipIf(!versitygw)("s3://", () => {
  const { at, here, run, runFor, wazarr } = useCommandLine();
  let server: S3Server;
  beforeAll(async () => {
    server = await serveS3(versitygw?.executable ?? "");
    await server.put("/bucket", "");
    const array = await create(new FileSystemStore(at("images.zarr")), {
      shape: SHAPE,
      dtype: "uint16",
      chunkShape: [1, 64, 64],
    });
    const data = Uint16Array.from({ length: 24 * 64 * 64 }, (_, i) => (i * 40503) >> 7);
    await set(array, null, { data, shape: SHAPE });
  });
  afterAll(() => server?.close());
  environment(() => ({
    AWS_ENDPOINT_URL: server.url,
    AWS_ACCESS_KEY_ID: server.root.id,
    AWS_SECRET_ACCESS_KEY: server.root.secret,
  }));

  async function contents(address: string): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
    const store = await openStore(address);
    const found = new Map<string, Uint8Array | undefined>();
    for (const key of (await listPrefix(store, "/")).toSorted()) found.set(key, await store.get(key));
    return found;
  }

  it("copies into a bucket, killed at any moment and resumed", async () => {
    await wazarr("copy", at("images.zarr"), at("whole.zarr"), ...LAYOUT);
    let killed = 0;
    for (let attempt = 0, wait = 600; ; attempt++, wait += 200) {
      expect(attempt).toBeLessThan(60);
      const copy = ["copy", at("images.zarr"), "s3://bucket/killed.zarr", ...LAYOUT, "--resume"];
      const { status, stderr } = await runFor(wait + Math.floor(Math.random() * 200), ...copy);
      // Killed when all was done, and nothing but the end of the process was left.
      if (killed > 0 && stderr.includes("there is nothing to resume")) break;
      expect(stderr).toBe("");
      if (status === 0) break;
      expect(status).toBe(null);
      killed++;
    }
    expect(killed).toBeGreaterThan(0);
    expect(await contents("s3://bucket/killed.zarr")).toEqual(await contents(at("whole.zarr")));
    await wazarr("verify", "s3://bucket/killed.zarr", "--against", at("images.zarr"));
  }, 240_000);

  it("copies from bucket to bucket, writes, lists, reads and removes", async () => {
    await here("copy", DATA, "s3://bucket/deep/data.zarr");
    await here("copy", "s3://bucket/deep/data.zarr", "s3://bucket/other.zarr", "--zarr-format", "2");
    expect(await here("tree", "s3://bucket/other.zarr")).toContain("elevation");
    expect(await here("info", "s3://bucket/deep/data.zarr", "elevation")).toContain("12 of 12 chunks");
    await here("verify", "s3://bucket/other.zarr", "--against", DATA);
    // With the credentials of the environment.
    // zarr.json and, at the same time, two documents of v2; then the chunk.
    expect(await here("doctor", "s3://bucket/deep/data.zarr")).toContain("ok       first tile: 4 reads");
    await here("copy", DATA, "s3://bucket/other.zarr", "--overwrite");
    expect([...(await contents("s3://bucket/other.zarr")).keys()]).not.toContain("/.zgroup");
    await here("consolidate", "s3://bucket/other.zarr");
  });

  it("looks at what is in a bucket", async () => {
    await here("copy", DATA, "s3://bucket/looked.zarr");
    const { status, stdout } = await run("doctor", "s3://bucket/looked.zarr");
    expect(stdout).toMatch(
      /^advice +CORS.*pass the https address of the data: http:.*\/bucket\/looked\.zarr/m,
    );
    expect(stdout).toMatch(/^ok +format: group, Zarr v3$/m);
    expect(stdout).toMatch(/^ok +first tile: \d+ reads, .* of \/elevation$/m);
    expect(status).toBe(0);
    const missing = await run("doctor", "s3://missing/data.zarr");
    expect(missing.stdout).toMatch(/^problem +open: .*NoSuchBucket.*check the bucket's name/m);
  });

  it("refuses targets within the source, archives in buckets, and buckets that are missing", async () => {
    const within = await run("copy", "s3://bucket/deep", "s3://bucket/deep/data.zarr/x");
    expect(within.stderr).toContain("expected two nodes of which neither contains the other");
    const zip = await run("copy", DATA, "s3://bucket/data.zip");
    expect(zip.stderr).toContain("expected a directory, a bucket or a local .zip to write to");
    const missing = await run("info", "s3://missing/data.zarr");
    expect(missing.stderr).toContain("NoSuchBucket");
    expect(missing.stderr).not.toContain(server.root.secret);
  });

  it("runs the tasks of a plan of wazarr/jobs", async () => {
    const plan = await planCopy(DATA, "s3://bucket/planned.zarr");
    expect((await runLocal(plan)).failed).toEqual([]);
    await here("verify", "s3://bucket/planned.zarr", "--against", DATA);
  });
});

interface Other {
  readonly name: string;
  readonly executable: string | undefined;
  serve(executable: string): Promise<BucketServer>;
  readonly address: string;
  variables(url: string): Readonly<Record<string, string>>;
}

const others: readonly Other[] = [
  {
    name: "az://",
    executable: azurite?.executable,
    serve: serveAzure,
    address: "az://bucket/data.zarr",
    variables: (url) => ({
      AZURE_STORAGE_SERVICE_ENDPOINT: url,
      AZURE_STORAGE_SAS_TOKEN: azureSas("rwdl", 3600),
    }),
  },
  {
    name: "gs://",
    executable: fakeGcs?.executable,
    serve: serveGcs,
    address: "gs://bucket/data.zarr",
    variables: (url) => ({ STORAGE_EMULATOR_HOST: url }),
  },
];

describe.each(others)("$name", ({ executable, serve, address, variables }) => {
  const { here } = useCommandLine();
  let server: BucketServer | undefined;
  beforeAll(async () => {
    if (executable === undefined) return;
    server = await serve(executable);
    await server.createBucket("bucket");
  });
  afterAll(() => server?.close());
  environment(() => (server ? variables(server.url) : {}));

  it.skipIf(executable === undefined)("is copied to and from", async () => {
    await here("copy", DATA, address);
    await here("verify", address, "--against", DATA);
    const array = await open(await openStore(`${address}/elevation`), { kind: "array" });
    expect((await get(array, [0, 0])) !== undefined).toBe(true);
  });
});
