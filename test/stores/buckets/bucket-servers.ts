/**
 * Servers of buckets for tests: Azurite and moto, which check signatures, and fake-gcs-server, which has
 * none. The Versity S3 Gateway is in s3.ts.
 */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { freePort, type Keys, sign } from "./s3.js";

export interface BucketServer {
  readonly url: string;
  /** Who may do everything, if the server knows users. */
  readonly user?: Keys;
  /** @throws unless the server agrees */
  createBucket(name: string): Promise<void>;
  close(): Promise<void>;
}

/** @param url that the server answers once it has started, with any status */
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

/** @param python of an environment with moto */
export async function serveMoto(python: string): Promise<BucketServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const stop = await started(python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], url);
  const ask = async (query: Readonly<Record<string, string>>): Promise<string> => {
    const body = new URLSearchParams({ Version: "2010-05-08", ...query });
    // The header says which of all services of AWS is meant.
    const authorization = "AWS4-HMAC-SHA256 Credential=x/20300101/us-east-1/iam/aws4_request";
    const response = await fetch(url, { method: "POST", headers: { authorization }, body });
    if (!response.ok) throw new Error(`${query.Action}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  await ask({ Action: "CreateUser", UserName: "user" });
  const policy = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] };
  await ask({
    ...{ Action: "PutUserPolicy", UserName: "user", PolicyName: "all" },
    PolicyDocument: JSON.stringify(policy),
  });
  const made = await ask({ Action: "CreateAccessKey", UserName: "user" });
  const textIn = (name: string): string => {
    const [, value] = new RegExp(`<${name}>([^<]+)</${name}>`).exec(made) ?? [];
    if (value === undefined) throw new Error(`expected <${name}> in ${made}`);
    return value;
  };
  const user = { id: textIn("AccessKeyId"), secret: textIn("SecretAccessKey") };
  // Signatures are checked after so many requests.
  await sent(`${url}/moto-api/reset-auth`, { method: "POST", body: "0" });
  return {
    url,
    user,
    createBucket: (name) => {
      const headers = sign(user, { url: new URL(`${url}/${name}`), method: "PUT" });
      return sent(`${url}/${name}`, { method: "PUT", headers });
    },
    close: stop,
  };
}
