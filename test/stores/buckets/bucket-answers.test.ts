/**
 * Stores of buckets and what a service may answer: credentials that expire, wrong regions, documents that are
 * none. The service is a function in place of `fetch`.
 */
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import type { Store } from "../../../src/core/stores/store.js";
import { AzureStore } from "../../../src/stores/buckets/azure.js";
import { GcsStore } from "../../../src/stores/buckets/gcs.js";
import { S3Store, type S3StoreOptions } from "../../../src/stores/buckets/s3.js";
import { parseXml, textOf } from "../../../src/stores/buckets/xml.js";

const SECRET = "very-secret-key";
const TOKEN = "very-secret-token";
const keys = { accessKeyId: "id", secretAccessKey: SECRET };

type Service = (request: Request, count: number) => Response | Promise<Response>;

/** Options with a service, and the requests that it got. */
function served(service: Service) {
  const requests: Request[] = [];
  const options = {
    retry: false,
    async fetch(request: Request) {
      requests.push(request.clone());
      return service(request, requests.length);
    },
  } as const;
  return { requests, options };
}

const s3Error = (status: number, code: string, more = "", headers: HeadersInit = {}): Response =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>It is ${code}</Message>${more}<StringToSign>${SECRET}</StringToSign></Error>`,
    { status, headers },
  );

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isZarrError(error, "StoreError")) throw new Error(`expected a StoreError, got ${String(error)}`);
  expect(`${error.message}${String(error.cause)}`).not.toMatch(new RegExp(`${SECRET}|${TOKEN}`));
  return error;
}

describe("credentials that expire", () => {
  const session = (name: string) => ({ ...keys, sessionToken: `${TOKEN}-${name}` });

  it("S3: a function is called once at first, once when its session is refused, for many requests", async () => {
    const { options } = served(({ headers }) =>
      headers.get("x-amz-security-token") === `${TOKEN}-2`
        ? new Response("value")
        : s3Error(400, "ExpiredToken"),
    );
    const renewals: boolean[] = [];
    const store = new S3Store("s3://bucket", {
      ...options,
      credentials: async ({ expired }) => {
        renewals.push(expired);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return session(String(renewals.length));
      },
    });
    const values = await Promise.all(["/a", "/b", "/c", "/d"].map((key) => store.get(`/${key.slice(1)}`)));
    expect(values.map((value) => value?.length)).toEqual([5, 5, 5, 5]);
    await store.set("/e", new Uint8Array(1));
    expect(renewals).toEqual([false, true]);
  });

  it("S3: a session that stays refused is an error, after two attempts", async () => {
    const { options, requests } = served(() => s3Error(400, "ExpiredToken"));
    const store = new S3Store("s3://bucket", { ...options, credentials: () => session("old") });
    const error = await failureOf(store.get("/a"));
    expect(error).toMatchObject({ status: 400, code: "ExpiredToken", key: "/a", isTransient: false });
    expect(requests.length).toBe(2);
    const fixed = served(() => s3Error(400, "ExpiredToken"));
    await failureOf(new S3Store("s3://bucket", { ...fixed.options, credentials: session("old") }).get("/a"));
    expect(fixed.requests.length).toBe(1);
  });

  it("S3: other keys are asked for before a session ends", async () => {
    const { options, requests } = served(() => new Response("value"));
    let count = 0;
    const credentials = () => ({
      ...session(String(++count)),
      expiration: new Date(Date.now() + (count === 1 ? 30_000 : 3_600_000)),
    });
    const store = new S3Store("s3://bucket", { ...options, credentials });
    for (const key of ["/a", "/b", "/c"] as const) await store.get(key);
    const sent = requests.map(({ headers }) => headers.get("x-amz-security-token"));
    expect(sent).toEqual([`${TOKEN}-1`, `${TOKEN}-2`, `${TOKEN}-2`]);
  });

  it("a function that fails is asked again by the next request", async () => {
    const { options } = served(() => new Response("value"));
    let count = 0;
    const store = new GcsStore("gs://bucket", {
      ...options,
      token() {
        if (count++ === 0) throw new Error("no network");
        return TOKEN;
      },
    });
    await expect(store.get("/a")).rejects.toThrow("no network");
    expect((await store.get("/a"))?.length).toBe(5);
  });

  it("what is no credential is refused, and nothing is sent", async () => {
    const { options, requests } = served(() => new Response("value"));
    const wrong = { tag: "InvalidArgumentError" };
    for (const given of [undefined, "", 5, { accessKeyId: SECRET }]) {
      const give = () => given;
      for (const [Store, address, name] of [
        [S3Store, "s3://b", "credentials"],
        [GcsStore, "gs://b", "token"],
        [AzureStore, "abfs://c@account.dfs.core.windows.net", "sas"],
      ] as const) {
        const make = (value: unknown): Store =>
          Reflect.construct(Store, [address, { ...options, [name]: value }]);
        if (given !== undefined) expect(() => make(given)).toThrow(expect.objectContaining(wrong));
        const work = Promise.resolve(make(give).get("/a"));
        await expect(work).rejects.toMatchObject(wrong);
        await expect(work).rejects.not.toThrow(SECRET);
      }
    }
    expect(requests).toEqual([]);
  });

  it("Google: a token in the header, renewed after 401", async () => {
    const { options, requests } = served(({ headers }) =>
      headers.get("authorization") === `Bearer ${TOKEN}-new`
        ? new Response("value")
        : Response.json({ error: { code: 401, errors: [{ reason: "authError" }] } }, { status: 401 }),
    );
    const token = ({ expired }: { expired: boolean }) => `${TOKEN}-${expired ? "new" : "old"}`;
    const store = new GcsStore("gs://bucket", { ...options, token, userProject: "payer" });
    expect((await store.get("/a"))?.length).toBe(5);
    expect(requests.map(({ headers }) => headers.get("x-goog-user-project"))).toEqual(["payer", "payer"]);
    const error = await failureOf(new GcsStore("gs://bucket", { ...options, token: TOKEN }).get("/a"));
    expect(error.message).toContain("check `token`");
    expect(error.code).toBe("authError");
  });

  it("Azure: a signature in the query of each request, or a token, renewed after 403 and 401", async () => {
    for (const kind of ["sas", "token"] as const) {
      const { options, requests } = served(({ url, headers }) =>
        `${new URL(url).searchParams.get("sig")} ${headers.get("authorization")}`.includes(`${TOKEN}-new`)
          ? new Response("value")
          : new Response(
              `<Error><Code>AuthenticationFailed</Code><Message>Bad\n${SECRET}</Message></Error>`,
              {
                status: kind === "sas" ? 403 : 401,
                headers: { "x-ms-error-code": "AuthenticationFailed" },
              },
            ),
      );
      const give = ({ expired }: { expired: boolean }) =>
        `${kind === "sas" ? "?sv=1&sig=" : ""}${TOKEN}-${expired ? "new" : "old"}`;
      const store = new AzureStore("az://box/a b", { ...options, account: "me", [kind]: give });
      expect((await store.get("/k"))?.length).toBe(5);
      expect(requests[0]?.url).toMatch(/^https:\/\/me\.blob\.core\.windows\.net\/box\/a%20b\/k/);
      const old = new AzureStore("az://box", { ...options, account: "me", [kind]: give({ expired: false }) });
      const error = await failureOf(old.get("/k"));
      expect(error).toMatchObject({ code: "AuthenticationFailed" });
    }
  });
});

describe("S3: requests", () => {
  const asked = async (options: S3StoreOptions, work: (store: S3Store) => Promise<unknown>) => {
    const { options: own, requests } = served(() => new Response("value"));
    await work(new S3Store("s3://bucket/pre fix", { ...own, ...options }));
    return requests[0];
  };

  it("are signed only with credentials, and say who pays", async () => {
    const plain = await asked({}, (store) => store.get("/k"));
    expect(plain?.url).toBe("https://bucket.s3.amazonaws.com/pre%20fix/k");
    expect([...(plain?.headers ?? [])]).toEqual([]);
    const signed = await asked({ credentials: keys, requesterPays: true, region: "eu-west-1" }, (store) =>
      store.get("/k"),
    );
    expect(signed?.url).toBe("https://bucket.s3.eu-west-1.amazonaws.com/pre%20fix/k");
    const first = await asked({ credentials: keys }, (store) => store.get("/k"));
    expect(first?.url).toBe("https://bucket.s3.us-east-1.amazonaws.com/pre%20fix/k");
    expect(signed?.headers.get("x-amz-request-payer")).toBe("requester");
    expect(signed?.headers.get("authorization")).toMatch(
      /Credential=id\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[^,]*x-amz-request-payer/,
    );
  });

  it("have the path that is signed", async () => {
    const { options, requests } = served(() => new Response("x"));
    await new S3Store("s3://bucket", { ...options, credentials: keys }).get("/a!b'c(d)e*f~g/h");
    const { pathname } = new URL(requests[0]?.url ?? "");
    expect(pathname).toBe("/a%21b%27c%28d%29e%2Af~g/h");
  });

  it("go to an endpoint, and to buckets with dots, by path", async () => {
    const other = await asked({ endpoint: "https://me.r2.cloudflarestorage.com/", region: "auto" }, (store) =>
      store.get("/k"),
    );
    expect(other?.url).toBe("https://me.r2.cloudflarestorage.com/bucket/pre%20fix/k");
    expect(String(new S3Store("s3://my.bucket").url)).toBe("https://s3.amazonaws.com/my.bucket/");
  });

  it.each([
    () => new S3Store("https://bucket.s3.amazonaws.com"),
    () => new S3Store("s3://"),
    () => new S3Store("s3://bucket/../other"),
    () => new S3Store("s3://bucket", { endpoint: `https://user:${SECRET}@host` }),
    () => new S3Store("s3://bucket", { endpoint: "file:///etc" }),
    () => new S3Store("s3://bucket", { region: "evil.com/", endpoint: "nothing" }),
    () => new S3Store("s3://bucket", { partBytes: 1000 }),
    () => new GcsStore("s3://bucket"),
    () => new GcsStore("gs://bucket", { endpoint: "ftp://host" }),
    () => new AzureStore("az://box"),
    () => new AzureStore("az://box", { account: "me", sas: TOKEN, token: TOKEN }),
  ])("refuses %s", (make) => {
    expect(make).toThrow(expect.objectContaining({ tag: "InvalidArgumentError" }));
    expect(make).not.toThrow(new RegExp(`${SECRET}|${TOKEN}`));
  });
});

describe("failures", () => {
  it.each([
    [301, "PermanentRedirect", "", { "x-amz-bucket-region": "eu-west-1" }, 'region: "eu-west-1"'],
    [400, "AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>", {}, 'region: "eu-west-1"'],
    [403, "RequestTimeTooSkewed", "", {}, "set the clock"],
    [403, "SignatureDoesNotMatch", "", {}, "check `secretAccessKey`"],
    [403, "AccessDenied", "", {}, "missingStatuses: [403]"],
    [404, "NoSuchBucket", "", {}, "check the bucket's name"],
    // versitygw says so of keys that it does not know.
    [404, "XAdminUserNotFound", "", {}, "It is XAdminUserNotFound"],
    [501, "NotImplemented", "", {}, "conditionalWrites: false"],
  ] as const)("S3: %i %s says what to do", async (status, code, more, headers, advice) => {
    const { options } = served(() => s3Error(status, code, more, headers));
    for (const work of [
      (store: S3Store) => store.get("/a"),
      (store: S3Store) => store.set("/a", new Uint8Array(1)),
      (store: S3Store) => store.listDir("/"),
    ]) {
      const error = await failureOf(work(new S3Store("s3://bucket", { ...options, credentials: keys })));
      expect(error).toMatchObject({ status, code, isTransient: status >= 500 });
      expect(error.message).toContain(advice);
    }
  });

  it("retries what may pass, writes too", async () => {
    for (const work of [
      (store: Store) => store.get("/a"),
      (store: Store) => store.set?.("/a", new Uint8Array(1)),
    ]) {
      const { options, requests } = served((_, count) =>
        count < 3 ? s3Error(503, "SlowDown") : new Response("value"),
      );
      await work(new S3Store("s3://bucket", { ...options, retry: { baseDelay: 0 } }));
      expect(requests.length).toBe(3);
    }
  });

  it("403 is a missing value where the caller says so, and an expired session still is renewed", async () => {
    const { options } = served(() => s3Error(403, "AccessDenied"));
    const store = new S3Store("s3://bucket", { ...options, missingStatuses: [403] });
    expect(await store.get("/a")).toBeUndefined();
    expect(await store.has("/a")).toBe(false);
  });

  it("a completed upload that failed after status 200 is an error, and its parts are removed", async () => {
    const { options, requests } = served(({ url, method }) => {
      if (url.endsWith("?uploads=") || url.endsWith("?uploads"))
        return new Response(
          "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>",
        );
      if (method === "PUT") return new Response("", { headers: { etag: '"1"' } });
      return method === "POST" ? s3Error(200, "InternalError") : new Response(null, { status: 204 });
    });
    const store = new S3Store("s3://bucket", { ...options, partBytes: 5 << 20 });
    await failureOf(store.set("/long", new Uint8Array(11 << 20)));
    expect(requests.map(({ method }) => method)).toEqual(["POST", "PUT", "PUT", "PUT", "POST", "DELETE"]);
  });

  it("the parts of an upload that is aborted are removed", async () => {
    const caller = new AbortController();
    const { options, requests } = served(({ method }, count) => {
      if (method === "POST")
        return new Response(
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>",
        );
      if (count === 3) caller.abort(new Error("enough"));
      return new Response("", { headers: { etag: '"1"' } });
    });
    const store = new S3Store("s3://bucket", { ...options, partBytes: 5 << 20 });
    const writing = store.set("/long", new Uint8Array(11 << 20), { signal: caller.signal });
    await expect(writing).rejects.toThrow("enough");
    expect(requests.at(-1)).toMatchObject({ method: "DELETE", signal: { aborted: false } });
    expect(requests.at(-1)?.url).toContain("uploadId=u");
  });

  it("objects that could not be deleted are an error", async () => {
    const { options } = served(
      () =>
        new Response(
          "<DeleteResult><Error><Key>a</Key><Code>NoSuchKey</Code></Error><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>",
        ),
    );
    const error = await failureOf(new S3Store("s3://bucket", options).deleteMany(["/a", "/b"]));
    expect(error).toMatchObject({ code: "AccessDenied" });
  });
});

describe("redirects", () => {
  it("take no credentials and no values to another origin", async () => {
    const seen: { readonly url: string; readonly headers: object; readonly body: string }[] = [];
    const listen = async (answer: (url: string) => { status: number; location?: string }) => {
      const server = createServer(async (request, response) => {
        const body = (await request.setEncoding("latin1").toArray()).join("");
        const { status, location } = answer(request.url ?? "");
        if (location === undefined) seen.push({ url: request.url ?? "", headers: request.headers, body });
        response.writeHead(status, location === undefined ? {} : { location }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
    };
    const thief = await listen(() => ({ status: 200 }));
    const bucket = await listen((url) => ({ status: 307, location: `${thief.url}${url}` }));
    try {
      const options = { endpoint: bucket.url, credentials: { ...keys, sessionToken: TOKEN } };
      const store = new S3Store("s3://bucket", { ...options, requesterPays: true, retry: false });
      await store.get("/a").catch(() => {});
      await failureOf(store.set("/a", new TextEncoder().encode("my data")));
      await failureOf(store.deleteMany(["/a", "/b"]));
      expect(seen.length).toBe(1);
      expect(JSON.stringify(seen)).not.toMatch(/my data|authorization|x-amz|secret/i);
    } finally {
      for (const { server } of [thief, bucket]) server.close();
    }
  });
});

describe("listings", () => {
  const listed = async (text: string, of: "s3" | "gcs" | "azure" = "s3") => {
    const { options, requests } = served(() => new Response(text));
    const store =
      of === "s3"
        ? new S3Store("s3://bucket/x", options)
        : of === "gcs"
          ? new GcsStore("gs://bucket/x", options)
          : new AzureStore("az://bucket/x", { ...options, account: "me" });
    const found: string[] = [];
    for await (const key of store.list()) found.push(key);
    return { found, requests };
  };
  const s3 = (inner: string): string => `<ListBucketResult>${inner}</ListBucketResult>`;
  const name = (key: string): string => `<Contents><Key>${key}</Key></Contents>`;

  it("are read, and names that are no keys left out", async () => {
    const { found } = await listed(
      `<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3"><!-- c --><Name/>${name("x/a&amp;b&#x263A;")}${name("x/dir/")}${name("x//d")}${name("x/<![CDATA[<c>]]>")}</ListBucketResult>\n`,
    );
    expect(found).toEqual(["/a&b\u263a", "/<c>"]);
  });

  it.each([
    ["cut off", s3(name("x/a")).slice(0, 40)],
    ["cut off in a tag", "<ListBucketResult><Contents><Ke"],
    ["empty", ""],
    ["a page", "<!doctype html><html><body>Log in</body></html>"],
    ["JSON", "{}"],
    ["another document", "<Error><Code>Odd</Code></Error>"],
    ["two documents", s3("") + s3("")],
    ["crossed tags", "<ListBucketResult><a></ListBucketResult></a>"],
    ["an entity", s3(name("&xxe;"))],
    ["a DOCTYPE", '<!DOCTYPE l [<!ENTITY a "aaaa">]><ListBucketResult></ListBucketResult>'],
    ["deep", `${"<a>".repeat(100_000)}`],
    ["a name of elsewhere", s3(name("y/secret"))],
    ["truncated without a token", s3("<IsTruncated>true</IsTruncated>")],
    ["endless", s3("<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>")],
    ["bad escapes", s3(`<EncodingType>url</EncodingType>${name("x/%zz")}`)],
  ])("S3: %s is a StoreError", async (_, text) => {
    await failureOf(listed(text));
  });

  it.each([
    ["cut off", '{"items": [{"name": "x/a"'],
    ["a page", "<html></html>"],
    ["other types", '{"items": {"name": 1}}'],
    ["names that are numbers", '{"items": [{"name": 1}]}'],
    ["a name of elsewhere", '{"items": [{"name": "y"}]}'],
    ["endless", '{"nextPageToken": "t"}'],
  ])("Google: %s is a StoreError", async (_, text) => {
    await failureOf(listed(text, "gcs"));
  });

  it.each([
    ["without blobs", "<EnumerationResults></EnumerationResults>"],
    [
      "a name of elsewhere",
      "<EnumerationResults><Blobs><Blob><Name>y</Name></Blob></Blobs></EnumerationResults>",
    ],
    ["endless", "<EnumerationResults><Blobs/><NextMarker>m</NextMarker></EnumerationResults>"],
    [
      "bad escapes",
      '<EnumerationResults><Blobs><Blob><Name Encoded="true">%zz</Name></Blob></Blobs></EnumerationResults>',
    ],
  ])("Azure: %s is a StoreError", async (_, text) => {
    await failureOf(listed(text, "azure"));
  });

  it("longer than 8 MiB are read no further", async () => {
    let sent = 0;
    const { options } = served(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 1 << 20;
              controller.enqueue(new Uint8Array(1 << 20).fill(0x20));
            },
          }),
        ),
    );
    const error = await failureOf(new S3Store("s3://bucket", options).listDir("/"));
    expect(error.message).toContain("at most 8388608 bytes");
    expect(sent).toBeLessThan(12 << 20);
  });

  it("XML that is changed at random is read or a StoreError, and nothing else", () => {
    const text = `<?xml version="1.0"?><r a="1"><Name Encoded="true">x&amp;y</Name><b/><![CDATA[ ]]><!-- - --></r>`;
    let state = 1;
    const next = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state % below;
    };
    let read = 0;
    for (let i = 0; i < 20_000; i++) {
      const chars = [...text];
      for (let n = next(4); n >= 0; n--) {
        const place = next(chars.length);
        chars.splice(place, next(3), ...(next(2) ? [text.charAt(next(text.length))] : []));
      }
      try {
        expect(parseXml(chars.join(""), "r").name).toBe("r");
        read++;
      } catch (error) {
        expect(isZarrError(error, "StoreError")).toBe(true);
      }
    }
    expect(read).toBeGreaterThan(0);
    expect(textOf(parseXml(text, "r"), "Name")).toBe("x&y");
  });
});
