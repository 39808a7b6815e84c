/**
 * examples/distributed on a real Redis: workers that are killed, chunks that are damaged, the same plan by
 * way of a function.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { create, type ListableStore, type Readable, set } from "../../src/index.js";
import { planCopy, runLocal } from "../../src/jobs.js";
import { listPrefix } from "../../src/stores/capabilities.js";
import { FileSystemStore } from "../../src/stores/file-system.js";
import { S3Store } from "../../src/stores/s3.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";
import { serveS3 } from "../stores/s3.js";
import { type Distributed, startDistributed } from "./distributed.js";

const redis = readOracles().redis?.executable;
if (redis === undefined) {
  warnLoudly(
    "No redis-server: the tests of examples/distributed are SKIPPED. scripts/oracles/install.sh installs Debian's.",
  );
}

const versitygw = readOracles().versitygw?.executable;
if (versitygw === undefined)
  warnLoudly(
    "No versitygw: no copy is made to a bucket. scripts/oracles/install.sh builds it where there is a go.",
  );

const SHAPE = [32, 96, 96];
/** Images that become time series: by way of an intermediate array. */
const LAYOUT = { chunkShape: [32, 16, 16], maxMemory: 33.645e6 };

describe.skipIf(redis === undefined)("examples/distributed", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-distributed-"));
  const at = (name: string): string => join(folder, name);
  const layout = JSON.stringify(LAYOUT);
  let programs: Distributed;
  let whole: ReadonlyMap<string, Uint8Array | undefined>;

  async function contents(name: string): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
    const store = new FileSystemStore(at(name));
    await store.removeTemporaryFiles();
    return contentsOf(store);
  }

  async function contentsOf(
    store: Readable & ListableStore,
  ): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
    const found = new Map<string, Uint8Array | undefined>();
    for (const key of (await listPrefix(store, "/")).toSorted()) found.set(key, await store.get(key));
    return found;
  }

  /** @returns the plan's id */
  async function produce(source: string, target: string): Promise<string> {
    const { status, output } = await programs.run("produce", source, target, layout);
    expect({ status, output }).toMatchObject({ status: 0 });
    return output.slice(0, 16);
  }

  beforeAll(async () => {
    programs = await startDistributed(redis ?? "");
    const array = await create(new FileSystemStore(at("images.zarr")), {
      shape: SHAPE,
      dtype: "uint16",
      chunkShape: [1, 96, 96],
    });
    const data = Uint16Array.from({ length: 32 * 96 * 96 }, (_, i) => (i * 40503) >> 7);
    await set(array, null, { data, shape: SHAPE });
    const plan = await planCopy(at("images.zarr"), at("whole.zarr"), LAYOUT);
    expect(plan.stages).toHaveLength(4);
    await runLocal(plan);
    whole = await contents("whole.zarr");
  });
  afterAll(async () => {
    await programs?.close();
    rmSync(folder, { recursive: true });
  });

  /** Makes a copy with 4 workers, of which one after the other is killed. */
  async function copyWithKills(source: string, target: string): Promise<void> {
    const plan = await produce(source, target);
    const workers = Array.from({ length: 4 }, () => programs.start("worker"));
    const watching = programs.run("watch", plan);
    let isDone = false;
    void watching.finally(() => {
      isDone = true;
    });
    let killed = 0;
    for (; !isDone; killed++) {
      await setTimeout(300 + Math.random() * 300);
      // Towards the end they may live, so that there is one.
      if (killed > 20) continue;
      const n = Math.floor(Math.random() * workers.length);
      await workers[n]?.stop("SIGKILL");
      workers[n] = programs.start("worker");
    }
    const { status, output } = await watching;
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/\ndone: \d+ tasks in /) });
    expect(killed).toBeGreaterThan(2);
    await Promise.all(workers.map((worker) => worker.stop("SIGTERM")));
  }

  test("4 workers that are killed at random leave what one process does", async () => {
    await copyWithKills(at("images.zarr"), at("killed.zarr"));
    expect(await contents("killed.zarr")).toEqual(whole);
  });

  test.skipIf(versitygw === undefined)(
    "and so they do in a bucket",
    async () => {
      const server = await serveS3(versitygw ?? "");
      try {
        await server.put("/bucket", "");
        const { id, secret } = server.root;
        const credentials = { accessKeyId: id, secretAccessKey: secret };
        // For the workers, which are processes.
        vi.stubEnv("AWS_ENDPOINT_URL", server.url);
        vi.stubEnv("AWS_ACCESS_KEY_ID", id);
        vi.stubEnv("AWS_SECRET_ACCESS_KEY", secret);
        const target = "s3://bucket/killed.zarr";
        await copyWithKills(at("images.zarr"), target);
        const store = new S3Store(target, { endpoint: server.url, credentials });
        expect(await contentsOf(store)).toEqual(whole);
      } finally {
        vi.unstubAllEnvs();
        await server.close();
      }
    },
    180_000,
  );

  test("a damaged chunk ends in the dead letters with its key, the rest goes on, and mended all is done", async () => {
    cpSync(at("images.zarr"), at("damaged.zarr"), { recursive: true });
    truncateSync(at("damaged.zarr/c/7/0/0"), 20);
    const plan = await produce(at("damaged.zarr"), at("mended.zarr"));
    const worker = programs.start("worker");
    const stopped = await programs.run("watch", plan);
    expect(stopped.status).toBe(1);
    const letters = stopped.output.split("\n").filter((line) => line.startsWith("dead letter"));
    expect(letters).toEqual([expect.stringMatching(/^dead letter \w{16}_1-0-\d+: \/c\/7\/0\/0 .*zstd/)]);
    const [, done, total] = /: (\d+) of (\d+) tasks, 1 failed\nstopped: \d/.exec(stopped.output) ?? [];
    expect(Number(done)).toBe(Number(total) - 1);
    cpSync(at("images.zarr/c/7/0/0"), at("damaged.zarr/c/7/0/0"));
    expect(await programs.run("watch", plan, "--retry")).toMatchObject({ status: 0 });
    await worker.stop("SIGTERM");
    expect(await contents("mended.zarr")).toEqual(whole);
  });

  test("the same plan by way of a function", async () => {
    const module: { default: { fetch(request: Request): Promise<Response> } } = await import(
      /* @vite-ignore */ programs.fileOf("handler")
    );
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const answer = await module.default.fetch(new Request("http://function/", { method: "POST", body }));
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const sent = await programs.run("dispatch", url, at("images.zarr"), at("function.zarr"), layout);
    expect(sent).toEqual({ status: 0, output: expect.stringMatching(/^\w{16} done\n$/) });
    expect(await contents("function.zarr")).toEqual(whole);
    const refused = await module.default.fetch(
      new Request("http://function/", { method: "POST", body: "{}" }),
    );
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ tag: "UnsupportedError" });
    server.close();
  });

  test("the handler has the lines that are promised", () => {
    const lines = readFileSync("examples/distributed/handler.mjs", "utf8").trim().split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
  });
});
