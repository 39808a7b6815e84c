/**
 * Servers of buckets for tests: the Versity S3 Gateway and Azurite, which check signatures, and
 * fake-gcs-server, which has none.
 */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { freePort } from "./s3.js";

export interface BucketServer {
  readonly url: string;
  /** @throws unless the server agrees */
  createBucket(name: string): Promise<void>;
  close(): Promise<void>;
}

async function started(command: string, args: readonly string[], url: string): Promise<() => Promise<void>> {
  const server = spawn(command, args, { stdio: "ignore" });
  const ended = once(server, "exit");
  for (let i = 0; ; i++) {
    if (await fetch(url).catch(() => undefined)) break;
    if (i > 400 || server.exitCode !== null) throw new Error(`${command} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return async () => {
    server.kill();
    await ended;
  };
}

async function sent(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${await response.text()}`);
}

const ACCOUNT = "devstoreaccount1";
/** The key of Azurite's account, as its documentation has it. */
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/**
 * A shared access signature of the account.
 * @param permissions as "rwdlac"
 * @param seconds that it is valid
 */
export function azureSas(permissions: string, seconds: number): string {
  const expiry = new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+/, "");
  const [version, services, types, protocol] = ["2020-08-04", "b", "sco", "https,http"];
  const text = [ACCOUNT, permissions, services, types, "", expiry, "", protocol, version, ""].join("\n");
  const signature = createHmac("sha256", Buffer.from(KEY, "base64")).update(text).digest("base64");
  return new URLSearchParams({
    ...{ sv: version, ss: services, srt: types, sp: permissions, se: expiry, spr: protocol, sig: signature },
  }).toString();
}

/** @param script azurite-blob */
export async function serveAzure(script: string): Promise<BucketServer> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const options = ["--silent", "--skipApiVersionCheck", "--disableTelemetry", "--inMemoryPersistence"];
  const args = [script, ...options, "--blobHost", "127.0.0.1", "--blobPort", String(port)];
  const stop = await started(process.execPath, args, address);
  const url = `${address}/${ACCOUNT}`;
  return {
    url,
    createBucket: (name) =>
      sent(`${url}/${name}?restype=container&${azureSas("rwdlac", 3600)}`, {
        method: "PUT",
        headers: { "x-ms-version": "2020-08-04" },
      }),
    close: stop,
  };
}

/** @param executable fake-gcs-server */
export async function serveGcs(executable: string): Promise<BucketServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const place = ["-host", "127.0.0.1", "-port", String(port), "-external-url", url];
  const args = ["-scheme", "http", "-backend", "memory", "-log-level", "error", ...place];
  const stop = await started(executable, args, `${url}/storage/v1/b?project=test`);
  return {
    url,
    createBucket: (name) =>
      sent(`${url}/storage/v1/b?project=test`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name }),
      }),
    close: stop,
  };
}
