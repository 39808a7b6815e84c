/** examples/distributed on a real Redis and a server of S3's protocol: workers that are killed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { S3Store } from "../../../src/stores/buckets/s3.js";
import { planCopy, runLocal } from "../../../src/work/jobs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { serveS3 } from "../../stores/buckets/s3.js";
import { contentsOf, copyWithKills, LAYOUT, writeImages } from "./copy-with-kills.js";
import { startDistributed } from "./distributed.js";

const redis = readOracles().redis?.executable;
const versitygw = readOracles().versitygw?.executable;
if (!redis || !versitygw)
  warnLoudly(
    "No redis-server or versitygw: no copy is made to a bucket. scripts/oracles/install.sh installs both.",
  );

test.skipIf(!redis || !versitygw)(
  "4 workers that are killed at random leave in a bucket what one process leaves in a folder",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-distributed-"));
    const programs = await startDistributed(redis ?? "");
    const server = await serveS3(versitygw ?? "");
    try {
      await writeImages(join(folder, "images.zarr"));
      await runLocal(await planCopy(join(folder, "images.zarr"), join(folder, "whole.zarr"), LAYOUT));
      await server.put("/bucket", "");
      const { id, secret } = server.root;
      // For the workers, which are processes.
      vi.stubEnv("AWS_ENDPOINT_URL", server.url);
      vi.stubEnv("AWS_ACCESS_KEY_ID", id);
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", secret);
      const target = "s3://bucket/killed.zarr";
      await copyWithKills(programs, join(folder, "images.zarr"), target);
      const credentials = { accessKeyId: id, secretAccessKey: secret };
      const store = new S3Store(target, { endpoint: server.url, credentials });
      const whole = new FileSystemStore(join(folder, "whole.zarr"));
      await whole.removeTemporaryFiles();
      expect(await contentsOf(store)).toEqual(await contentsOf(whole));
    } finally {
      vi.unstubAllEnvs();
      await server.close();
      await programs.close();
      rmSync(folder, { recursive: true });
    }
  },
  180_000,
);
