/**
 * What a service of a bucket may send without harm: bodies that drip, endless listings, codes of any kind.
 */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import { AzureStore } from "../../../src/stores/buckets/azure.js";
import { GcsStore } from "../../../src/stores/buckets/gcs.js";
import { S3Store } from "../../../src/stores/buckets/s3.js";
import { parseXml } from "../../../src/stores/buckets/xml.js";

const ENDPOINT = "https://bucket.test";
const credentials = { accessKeyId: "AKID", secretAccessKey: "SECRET/Key", sessionToken: "SESSION-TOKEN" };

const s3Of = (answer: (request: Request) => Response, options: object = {}) =>
  new S3Store("s3://b/p", {
    endpoint: ENDPOINT,
    retry: false,
    fetch: async (request) => answer(request),
    ...options,
  });

async function failureOf(work: PromiseLike<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isZarrError(error, "StoreError")) throw new Error(`expected a StoreError, got ${String(error)}`);
  return error;
}

describe("the body of a failure that drips", () => {
  /** A store whose service sends a byte each 5 ms for ever; `state` says how it goes. */
  function dripping(options: object = {}) {
    const state = { isCancelled: false, bytes: 0, onByte: (): unknown => undefined };
    const body = () =>
      new ReadableStream(
        {
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            if (state.isCancelled) return;
            controller.enqueue(Uint8Array.of(120));
            state.bytes++;
            state.onByte();
          },
          cancel() {
            state.isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
    return { state, store: s3Of(() => new Response(body(), { status: 500 }), options) };
  }

  it.each(["get", "set", "list"] as const)("ends with the caller's signal: %s", async (name) => {
    const { state, store } = dripping();
    const caller = new AbortController();
    state.onByte = () => state.bytes === 3 && caller.abort(new Error("enough"));
    const options = { signal: caller.signal };
    const work = {
      get: () => store.get("/a", options),
      set: () => store.set("/a", Uint8Array.of(1), options),
      list: () => store.listDir("/", options),
    };
    await expect(work[name]()).rejects.toThrow("enough");
    expect(state.isCancelled).toBe(true);
  });

  it("ends with the timeout of the store", async () => {
    const { state, store } = dripping({ timeout: 50 });
    expect((await failureOf(store.get("/a"))).status).toBe(500);
    expect(state.isCancelled).toBe(true);
  });
});

describe("listings", () => {
  const page = (inner: string): Response => new Response(`<ListBucketResult>${inner}</ListBucketResult>`);
  const cut = (token: number | string): string =>
    `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;
  const name = "<Contents><Key>p/x</Key></Contents>";

  it("of 200,000 names on a page are read", async () => {
    const { keys } = await s3Of(() => page(name.repeat(200_000))).listDir("/");
    expect(keys.length).toBe(200_000);
  });

  it.each<[string, (i: number) => string]>([
    ["the same token", () => `${cut("t")}${name}`],
    ["two tokens in turn", (i) => `${cut(i % 2)}`],
    ["nine tokens in turn, after others", (i) => `${cut(i < 20 ? `a${i}` : i % 9)}`],
    ["ever new tokens, the same name", (i) => `${cut(i)}${name}`],
    ["ever new tokens, no names", (i) => cut(i)],
  ])("that do not end are an error: %s", async (_, inner) => {
    let count = 0;
    const error = await failureOf(s3Of(() => page(inner(count++))).listDir("/"));
    expect(error.message).toContain("the listing does not end");
    expect(count).toBeLessThan(1200);
  });

  it("may have some empty pages", async () => {
    let count = 0;
    const store = s3Of(() => page(count < 50 ? cut(count++) : name));
    expect(await store.listDir("/")).toEqual({ keys: ["/x"], prefixes: [] });
  });
});

describe("entities of XML", () => {
  const textOf = (inner: string) => parseXml(`<a>${inner}</a>`, "a").text;

  it("are read wherever they are", () => {
    expect(textOf("&lt;&#x10FFFF;b&amp;&#1114111;&quot;")).toBe('<\u{10ffff}b&\u{10ffff}"');
  });
  it.each([
    "&",
    "&;",
    "&a",
    "&nbsp;",
    "&#x110000;",
    "&#12345678901234567890;",
    "&amp &lt;",
    "&".repeat(1_000_000),
  ])("that XML has not are refused: %.20s", (inner) => {
    expect(() => textOf(inner)).toThrow("an entity that XML does not define");
  });
});

describe("errors say of a failure what is safe to show", () => {
  const escaped = (text: string): string =>
    text.replace(/[&<\p{Cc}]/gu, (char) => `&#${char.codePointAt(0)};`);
  const failing = (code: string, message: (request: Request) => string) => (request: Request) =>
    new Response(
      `<Error><Code>${escaped(code)}</Code><Message>${escaped(message(request))}</Message></Error>`,
      {
        status: 400,
      },
    );
  const echo = ({ url, headers }: Request): string =>
    [url, headers.get("authorization"), headers.get("x-amz-security-token"), new URL(url).search].join(" | ");

  it("a code of any length, and control characters", async () => {
    const long = await failureOf(s3Of(failing("A".repeat(30_000), () => "m")).get("/a"));
    expect(long.code).toBe("A".repeat(100));
    const odd = await failureOf(
      s3Of(failing("C\u001b]0;x\u0007", () => "\u001b[2J red\r\nline\u202e")).get("/a"),
    );
    expect(`${odd.code}${odd.message}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(odd.message).toContain("red line");
  });

  it.each([
    [
      "S3",
      (fetch: typeof globalThis.fetch) =>
        new S3Store("s3://b", { endpoint: ENDPOINT, credentials, fetch, retry: false }),
    ],
    [
      "SAS",
      (fetch: typeof globalThis.fetch) =>
        new AzureStore("az://b", { endpoint: ENDPOINT, sas: "sv=1&sig=SECRET-SIG", fetch, retry: false }),
    ],
    [
      "Azure",
      (fetch: typeof globalThis.fetch) =>
        new AzureStore("az://b", { endpoint: ENDPOINT, token: "SECRET-TOKEN", fetch, retry: false }),
    ],
    [
      "Google",
      (fetch: typeof globalThis.fetch) =>
        new GcsStore("gs://b", { endpoint: ENDPOINT, token: "SECRET-TOKEN", fetch, retry: false }),
    ],
  ])("no credentials that the service repeats: %s", async (of, make) => {
    const service = failing("Bad", echo);
    const store = make(async (request) => {
      if (!(request instanceof Request)) throw new TypeError("expected a request");
      if (of !== "Google") return service(request);
      return Response.json({ error: { message: echo(request) } }, { status: 400 });
    });
    const error = await failureOf(store.get("/a"));
    expect(error.message).toContain("|");
    expect(error.message).not.toMatch(/SECRET|SESSION|Signature=[0-9a-f]/);
  });
});

describe("what cannot be sent", () => {
  const store = (given: object) =>
    s3Of(() => new Response("x"), { credentials: { ...credentials, ...given } });

  it.each([{ sessionToken: "tok\u20ac" }, { accessKeyId: "AK\nID" }])("S3: %o", async (given) => {
    const error: unknown = await store(given)
      .get("/a")
      .catch((reason: unknown) => reason);
    if (!isZarrError(error, "InvalidArgumentError")) throw error;
    expect(error.message).toMatch(/expected (keys|headers) that HTTP can send/);
    expect(error.cause).toBeUndefined();
  });
  it.each([{ expiration: "never" }, { expiration: {} }, { expiration: 5 }])("S3: %o", (given) => {
    expect(() => store(given)).toThrow("expiration: expected a date");
  });
  it.each([
    () => new S3Store("s3://../x", { endpoint: ENDPOINT }),
    () => new S3Store("s3://./x", { endpoint: ENDPOINT }),
    () => new GcsStore("gs://../x", { endpoint: ENDPOINT }),
  ])("no bucket: %s", (make) => {
    expect(make).toThrow(expect.objectContaining({ tag: "InvalidArgumentError" }));
  });
});

it("an ETag without quotes is a version, and a condition has them", async () => {
  const sent: (string | null)[] = [];
  const store = s3Of((request) => {
    sent.push(request.headers.get("if-match"));
    return new Response("x", { headers: { etag: "abc" } });
  });
  const version = (await store.getParts("/a", undefined))?.version;
  await store.set("/a", Uint8Array.of(1), version === undefined ? {} : { ifVersion: version });
  expect([version, sent]).toEqual(['"abc"', [null, '"abc"']]);
});
