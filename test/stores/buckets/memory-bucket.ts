/**
 * A bucket in memory with conditional writes, as a function in place of `fetch`, which speaks enough of the
 * protocols of S3, Google and Azure for stores to read, write and list.
 */
export interface MemoryBucket {
  /** By name. */
  readonly objects: Map<string, { readonly body: Uint8Array; readonly version: string }>;
  readonly requests: Request[];
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * @param losesAnswer whether the answer to a request that was done gets lost; called for writes
 */
export function memoryBucket(
  losesAnswer: (name: string, request: Request) => boolean = () => false,
): MemoryBucket {
  const objects: MemoryBucket["objects"] = new Map();
  const uploads = new Map<string, Uint8Array[]>();
  const requests: Request[] = [];
  let count = 1;

  const answer = async (request: Request): Promise<Response> => {
    const { method, headers } = request;
    const url = new URL(request.url);
    const query = url.searchParams;
    const isGoogle = url.pathname.includes("/storage/v1/");
    const name = isGoogle
      ? (query.get("name") ?? decodeURIComponent(url.pathname.split("/o/")[1] ?? ""))
      : decodeURIComponent(url.pathname.slice(1));
    const body = new Uint8Array(await request.arrayBuffer());
    const old = objects.get(name);
    const text = (document: string): Response => new Response(document);
    if (query.has("prefix")) return text(listing(isGoogle, query.has("comp"), query.get("prefix") ?? ""));
    if (method === "POST" && query.has("uploads")) {
      uploads.set(`u${++count}`, []);
      return text(
        `<InitiateMultipartUploadResult><UploadId>u${count}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const upload = uploads.get(query.get("uploadId") ?? "");
    if (query.has("uploadId") && upload === undefined)
      return new Response("<Error><Code>NoSuchUpload</Code></Error>", { status: 404 });
    if (query.has("partNumber")) {
      upload?.push(body);
      return new Response(null, { headers: { etag: '"part"' } });
    }
    if (method === "PUT" || method === "POST") {
      const [match, none] = [headers.get("if-match"), headers.get("if-none-match")];
      const generation = query.get("ifGenerationMatch");
      const isOther =
        (match !== null && match !== `"${old?.version}"`) ||
        (none !== null && old !== undefined) ||
        (generation !== null && generation !== (old?.version ?? "0"));
      if (isOther) return new Response(isGoogle ? "{}" : "", { status: 412 });
      uploads.delete(query.get("uploadId") ?? "");
      const value = upload
        ? new Uint8Array(await new Blob(upload.map((part) => part.slice())).arrayBuffer())
        : body;
      objects.set(name, { body: value, version: String(++count) });
      if (losesAnswer(name, request)) throw new TypeError("fetch failed");
      const document = upload ? "<CompleteMultipartUploadResult/>" : isGoogle ? "{}" : "";
      return new Response(document, {
        status: isGoogle || upload ? 200 : 201,
        headers: { etag: `"${count}"` },
      });
    }
    if (method === "DELETE") {
      objects.delete(name);
      return new Response(null, { status: 204 });
    }
    if (old === undefined) return new Response(null, { status: 404 });
    const about = { etag: `"${old.version}"`, "x-goog-generation": old.version };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.get("range") ?? "") ?? [];
    if (first === undefined) return new Response(old.body.slice(), { headers: about });
    const end = Math.min(old.body.length, Number(last) + 1);
    const range = `bytes ${first}-${end - 1}/${old.body.length}`;
    return new Response(old.body.slice(Number(first), end), {
      status: 206,
      headers: { ...about, "content-range": range },
    });
  };

  function listing(isGoogle: boolean, isAzure: boolean, prefix: string): string {
    const names = [...objects.keys()].filter((name) => name.replace(/^b\//, "").startsWith(prefix));
    if (isGoogle) return JSON.stringify({ items: names.map((name) => ({ name })) });
    const inBucket = names.map((name) => name.replace(/^b\//, ""));
    if (isAzure) {
      const blobs = inBucket.map((name) => `<Blob><Name>${name}</Name></Blob>`).join("");
      return `<EnumerationResults><Blobs>${blobs}</Blobs></EnumerationResults>`;
    }
    const s3 = inBucket.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("");
    return `<ListBucketResult>${s3}</ListBucketResult>`;
  }

  return {
    objects,
    requests,
    async fetch(request) {
      requests.push(request.clone());
      return answer(request);
    },
  };
}
