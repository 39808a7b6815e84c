/**
 * Documents that name every place they should not: all requests are recorded, wherever the document is, and
 * none goes to this machine, out of the document's folder, or with credentials to a place that was not
 * allowed. No error shows a secret.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isZarrError, type Store } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { CASES, filesOf } from "../../setup/icechunk-fixtures.js";

const OUTSIDE = "what is outside";
/** Key id, secret, signatures and passwords. */
const SECRET = "SECRET";

let home: string;
let requests: { readonly url: string; readonly signed: boolean }[] = [];
const values = new Map<string, Uint8Array>();

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "wazarr-allowed-"));
  mkdirSync(join(home, "folder"));
  writeFileSync(join(home, "outside.bin"), OUTSIDE);
  symlinkSync(join(home, "outside.bin"), join(home, "folder", "link.bin"));
  const document = JSON.stringify(Object.fromEntries(addresses().map((address, i) => [`v/${i}`, [address]])));
  writeFileSync(join(home, "folder", "refs.json"), document);
  values.set("https://docs.test/folder/refs.json", Buffer.from(document));
  values.set("https://bucket.s3.us-east-1.amazonaws.com/folder/refs.json", Buffer.from(document));
  for (const [key, bytes] of filesOf("containers 2")) {
    values.set(`https://docs.test/repository${key}`, bytes);
    values.set(`https://bucket.s3.us-east-1.amazonaws.com/repository${key}`, bytes);
    mkdirSync(join(home, "folder", "repository", key, ".."), { recursive: true });
    writeFileSync(join(home, "folder", "repository", key), bytes);
  }
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push({ url: request.url, signed: /authorization|SECRET/i.test(inspect([...request.headers])) });
    // Every place of others leads to this machine.
    if (new URL(request.url).hostname === "redirects.test")
      return new Response(null, { status: 302, headers: { location: `http://127.0.0.1/?sig=${SECRET}` } });
    const value = values.get(request.url);
    return value ? new Response(Uint8Array.from(value)) : new Response(null, { status: 404 });
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  requests = [];
});

function addresses(): string[] {
  return [
    ...["../outside.bin", "link.bin", join(home, "outside.bin"), "folder/../../outside.bin", "/etc/passwd"],
    ...[`${pathToFileURL(join(home, "outside.bin"))}`, "file:///etc/passwd", "FILE:/etc/passwd"],
    ...["http://localhost:1/a", `http://user:${SECRET}@127.1/a`, `http://[::1]/a?sig=${SECRET}`],
    ...["http://169.254.169.254/latest/meta-data", "http://2130706433/a", "http://a.localhost/a"],
    ...[`https://redirects.test/a?sig=${SECRET}`, `ftp://user:${SECRET}@files.test/a`, "data:,a"],
    ...[
      "javascript:a",
      "blob:https://docs.test/a",
      "/etc/passwd|zip:",
      "/etc|icechunk:",
      "node:fs",
      "//localhost/a",
    ],
    ...[
      "s3://bucket/../other/a",
      "s3://other/a",
      "gs://other/a",
      "az://other/a",
      "vcc://nobody/a",
      "S3://other/a",
    ],
    ...["abfs://other@account.dfs.core.windows.net/a", "s3://", "", "\0", "http://", "?", "#"],
  ];
}

/** Reads each, and gives the errors' whole text. */
async function readAll(store: Store, keys: readonly `/${string}`[]): Promise<string> {
  const texts: string[] = [];
  for (const key of keys)
    for (const read of [() => store.get(key), () => store.getRange?.(key, { offset: 0, length: 4 })])
      try {
        const bytes = await read();
        expect(new TextDecoder().decode(bytes), key).not.toContain(OUTSIDE.slice(0, 4));
      } catch (error) {
        if (!isZarrError(error)) throw error;
        texts.push(inspect(error, { depth: 8 }));
      }
  return texts.join("\n");
}

/** Public places, which documents may name. */
const PUBLIC =
  /^https:\/\/(?:docs\.test|redirects\.test|storage\.googleapis\.com|[\w.-]+\.amazonaws\.com|account\.blob\.core\.windows\.net|files\.test|objects\.test)\//;

function expectOnlyAllowed(): void {
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.map(({ url }) => url.replace("http://files.test", "https://files.test"))).toEqual(
    requests.map(() => expect.stringMatching(PUBLIC)),
  );
  const signed = requests.filter((request) => request.signed).map(({ url }) => new URL(url).origin);
  expect(new Set(signed)).toEqual(
    new Set(signed.length ? ["https://bucket.s3.us-east-1.amazonaws.com"] : []),
  );
}

const options = {
  s3: { credentials: { accessKeyId: "id", secretAccessKey: SECRET }, retry: false },
} as const;

describe.each([
  ["in a folder", () => join(home, "folder")],
  ["behind HTTP", () => "https://docs.test"],
  ["in a bucket", () => "s3://bucket"],
])("%s", (_, place) => {
  test("references", async () => {
    const isHere = place() === join(home, "folder");
    const store = await openStore(`${place()}${isHere ? "" : "/folder"}/refs.json`, options);
    const text = await readAll(
      store,
      addresses().map((_address, i) => `/v/${i}` as const),
    );
    expectOnlyAllowed();
    expect(text).not.toContain(SECRET);
    expect(text.length).toBeGreaterThan(1000);
  });

  test("virtual chunks of Icechunk", async () => {
    const store = await openStore(`${place()}/repository|icechunk:`, options);
    const text = await readAll(
      store,
      CASES["containers 2"].addresses.map((_address, i) => `/a/c/${i}` as const),
    );
    expectOnlyAllowed();
    expect(text).not.toContain(SECRET);
  });
});
