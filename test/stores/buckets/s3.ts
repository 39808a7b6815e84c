/**
 * A server of S3's protocol for tests, the Versity S3 Gateway, and requests that are signed as AWS describes
 * it (Signature Version 4).
 */
import { execFile, spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Keys {
  readonly id: string;
  readonly secret: string;
}

interface Signable {
  readonly url: URL;
  readonly method: string;
  readonly headers?: Headers;
  readonly body?: Uint8Array;
}

const REGION = "us-east-1";

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
/** "20300101T000000Z" */
const timeOf = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function signature(keys: Keys, time: string, request: readonly string[]): string {
  const day = time.slice(0, 8);
  const text = ["AWS4-HMAC-SHA256", time, `${day}/${REGION}/s3/aws4_request`, sha256(request.join("\n"))];
  const key = [day, REGION, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  return hmac(key, text.join("\n")).toString("hex");
}

const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");

/** The headers that a request needs. */
export function sign(keys: Keys, { url, method, headers, body = new Uint8Array(0) }: Signable): Headers {
  const time = timeOf(new Date());
  const signed = new Headers(headers);
  signed.set("x-amz-date", time);
  signed.set("x-amz-content-sha256", sha256(body));
  const all = [...signed, ["host", url.host] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const request = [
    method,
    url.pathname,
    queryOf(url),
    ...all.map(([name, value]) => `${name}:${value.trim()}`),
    "",
    names,
    sha256(body),
  ];
  signed.set(
    "authorization",
    `AWS4-HMAC-SHA256 Credential=${keys.id}/${time.slice(0, 8)}/${REGION}/s3/aws4_request, SignedHeaders=${names}, Signature=${signature(keys, time, request)}`,
  );
  return signed;
}

/** A URL that is valid for one method, for so many seconds from a date on. */
export function presign(keys: Keys, { url, method }: Signable, seconds: number, date = new Date()): URL {
  const time = timeOf(date);
  const signed = new URL(url);
  signed.searchParams.set("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
  signed.searchParams.set("X-Amz-Credential", `${keys.id}/${time.slice(0, 8)}/${REGION}/s3/aws4_request`);
  signed.searchParams.set("X-Amz-Date", time);
  signed.searchParams.set("X-Amz-Expires", String(seconds));
  signed.searchParams.set("X-Amz-SignedHeaders", "host");
  const request = [method, url.pathname, queryOf(signed), `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"];
  signed.searchParams.set("X-Amz-Signature", signature(keys, time, request));
  return signed;
}

export interface S3Server {
  readonly url: string;
  /** Of somebody who may do everything. */
  readonly root: Keys;
  /** Of somebody who may do nothing. */
  addUser(keys: Keys): Promise<void>;
  /** @throws unless the server agrees */
  put(path: string, body: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("expected a TCP address");
  return address.port;
}

/** @param executable versitygw */
export async function serveS3(executable: string): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-s3-"));
  const [data, users] = [join(folder, "data"), join(folder, "users")];
  for (const each of [data, users]) mkdirSync(each);
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const root = { id: "root", secret: "root-secret" };
  const asRoot = ["--access", root.id, "--secret", root.secret];
  const server = spawn(
    executable,
    ["--quiet", "--port", address, ...asRoot, "--region", REGION, "--iam-dir", users, "posix", data],
    { stdio: "ignore" },
  );
  const ended = once(server, "exit");
  for (let i = 0; ; i++) {
    if (await fetch(url).catch(() => undefined)) break;
    if (i > 200 || server.exitCode !== null) throw new Error(`${executable} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    root,
    async addUser({ id, secret }) {
      const user = ["--access", id, "--secret", secret, "--role", "user"];
      await promisify(execFile)(executable, [
        "admin",
        ...asRoot,
        "--endpoint-url",
        url,
        "create-user",
        ...user,
      ]);
    },
    async put(path, given) {
      const body = typeof given === "string" ? new TextEncoder().encode(given) : new Uint8Array(given);
      const target = new URL(path, url);
      const headers = sign(root, { url: target, method: "PUT", body });
      const response = await fetch(target, { method: "PUT", headers, body });
      if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
    },
    async close() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
