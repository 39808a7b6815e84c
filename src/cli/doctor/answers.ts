/** Findings about a server, from its answers, for a page that reads from it. */
import { size } from "../text/words.js";
import { advise, type Finding, ok, problem } from "./finding.js";

/** The parts of an answer that the checks need. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  /** Length of the body after decompression, if it was read. */
  readonly bytes?: number | undefined;
  /** How the server explains that it refuses, if it does so in a line of text. */
  readonly words?: string | undefined;
}

const RECIPES = "docs/cors.md has recipes for S3, GCS, R2, Azure and nginx";

const isPage = ({ headers }: Seen): boolean => /^\s*text\/html\b/i.test(headers.get("content-type") ?? "");

/** The names in a header that is a list, in lower case. */
const namesIn = (headers: Headers, name: string): readonly string[] =>
  (headers.get(name) ?? "").split(",").map((each) => each.trim().toLowerCase());

/** Whether a page of the origin may read an answer. */
export function isOpenTo(origin: string, { headers }: Seen): boolean {
  const allowed = headers.get("access-control-allow-origin")?.trim();
  return allowed === "*" || allowed === origin;
}

const isGood = ({ status }: Seen): boolean => status >= 200 && status < 300;

/** The metadata document: whether it came, and is one. */
export function documentFindings(answer: Seen): Finding[] {
  const { status } = answer;
  if (status === 404 || status === 410)
    return [problem(`metadata: status ${status}`, "check the address and the path of the node")];
  // A server that explains its refusal in a line of text knows better what to do. Buckets answer in XML.
  if (!isGood(answer) && answer.words !== undefined)
    return [problem(`metadata: status ${status}`, `the server says: ${answer.words}`)];
  if (!isGood(answer))
    return [
      problem(
        `metadata: status ${status}`,
        status === 401 || status === 403
          ? "let everybody read the objects, or give pages signed addresses or headers (docs/stores.md)"
          : "look into the log of the server",
      ),
    ];
  if (!isPage(answer)) return [];
  return [
    problem(
      "HTML: the server answers a metadata document with an HTML page",
      "check the address; a server of a single-page application must not send its page for unknown paths below the data",
    ),
  ];
}

/** Whether pages of an origin may read an answer, and which of its headers. */
export function corsFindings(answer: Seen, origin: string): Finding[] {
  const allowed = answer.headers.get("access-control-allow-origin");
  if (allowed === null)
    return [
      problem(
        `CORS: no Access-Control-Allow-Origin in the answer to ${origin}`,
        `send Access-Control-Allow-Origin: *, or pages of other origins cannot read; ${RECIPES}`,
      ),
    ];
  if (!isOpenTo(origin, answer))
    return [
      problem(
        `CORS: Access-Control-Allow-Origin is ${allowed}, not ${origin}`,
        `allow * or the origin of the page (--origin asks as another page); ${RECIPES}`,
      ),
    ];
  const exposed = namesIn(answer.headers, "access-control-expose-headers");
  const hidden = ["ETag", "Content-Range"].filter((name) => !exposed.includes(name.toLowerCase()));
  if (hidden.length === 0 || exposed.includes("*")) return [ok(`CORS: pages of ${origin} may read`)];
  return [
    advise(
      `CORS: pages of ${origin} may read, but not the header${hidden.length > 1 ? "s" : ""} ${hidden.join(" and ")}`,
      `add Access-Control-Expose-Headers: ETag, Content-Range, which ranges of shards and archives need; ${RECIPES}`,
    ),
  ];
}

/** The preflight that browsers send before a suffix range. */
export function preflightFindings(answer: Seen, origin: string): Finding[] {
  const allowed = namesIn(answer.headers, "access-control-allow-headers");
  const isAllowed = allowed.includes("range") || allowed.includes("*");
  if (isGood(answer) && isOpenTo(origin, answer) && isAllowed)
    return [ok("preflight: the header Range is allowed")];
  const why = !isGood(answer)
    ? `OPTIONS is answered with status ${answer.status}`
    : isOpenTo(origin, answer)
      ? "Access-Control-Allow-Headers does not have Range"
      : "no Access-Control-Allow-Origin for the page";
  return [
    advise(
      `preflight: ${why}`,
      `answer OPTIONS with 204 and Access-Control-Allow-Headers: Range, or pages ask for the length of each shard first; ${RECIPES}`,
    ),
  ];
}

/**
 * The answers to `Range: bytes=0-9` and `Range: bytes=-4`.
 * @param needsRanges whether the data are read by ranges: shards, archives
 */
export function rangeFindings(first: Seen, last: Seen, needsRanges: boolean): Finding[] {
  const tell = needsRanges ? problem : advise;
  if (first.status === 200)
    return [
      tell(
        "ranges: Range is ignored, the whole value is sent",
        needsRanges
          ? "serve byte ranges (Accept-Ranges: bytes), or each chunk of a shard or an archive downloads all of it"
          : "serve byte ranges (Accept-Ranges: bytes): shards and archives need them, these data do not",
      ),
    ];
  if (first.status !== 206)
    return [tell(`ranges: status ${first.status} for a range`, "answer Range with 206 and Content-Range")];
  if (!/^bytes 0-\d+\/(?:\d+|\*)$/i.test(first.headers.get("content-range") ?? ""))
    return [tell("ranges: 206 without a correct Content-Range", "send Content-Range: bytes 0-9/LENGTH")];
  if (first.headers.has("content-encoding"))
    return [
      tell(
        `ranges: a range is sent with Content-Encoding ${first.headers.get("content-encoding")}`,
        "do not compress chunks on the way: a part of a compressed value cannot be decoded",
      ),
    ];
  if (last.status !== 206)
    return [
      advise(
        `ranges: answered, but the last bytes (bytes=-4) with status ${last.status}`,
        "serve suffix ranges, or pages ask for the length of each shard first",
      ),
    ];
  return [ok("ranges: 206 with Content-Range")];
}

/**
 * The answer for a missing key: chunks that have only the fill value are not stored.
 * @param isReadable whether a page that may read documents may read this answer, too
 */
export function missingFindings(answer: Seen, isReadable: boolean): Finding[] {
  const { status } = answer;
  if (status === 404 || status === 410) {
    if (isReadable) return [ok(`missing keys: ${status}`)];
    return [
      advise(
        `missing keys: ${status} without Access-Control-Allow-Origin, which a page cannot tell from a failure`,
        "send the CORS headers with errors too (nginx: add_header ... always)",
      ),
    ];
  }
  if (status === 401 || status === 403)
    return [
      problem(
        `missing keys: ${status} in place of 404`,
        "let everybody list the bucket (S3: s3:ListBucket), or open with missingStatuses: [403]",
      ),
    ];
  if (isGood(answer))
    return [
      problem(
        `missing keys: ${status} with ${isPage(answer) ? "an HTML page" : "a body"} in place of 404`,
        "answer 404 for missing keys: such a page is neither a chunk nor metadata",
      ),
    ];
  return [problem(`missing keys: ${status} in place of 404`, "answer 404 for missing keys")];
}

/** Documents shorter than this are one or two packets, compressed or not. */
const LONG_DOCUMENT = 16 * 1024;

/** Whether the longest document is sent compressed. */
export function compressionFindings({ headers, bytes = 0 }: Seen): Finding[] {
  const encoding = headers.get("content-encoding");
  if (encoding !== null) return [ok(`compression: documents are sent with ${encoding}`)];
  if (bytes < LONG_DOCUMENT) return [ok(`compression: none, for a document of ${size(bytes)}`)];
  return [
    advise(
      `compression: none, for a document of ${size(bytes)}`,
      "compress JSON documents (gzip, br), but not chunks",
    ),
  ];
}

/** A chunk that is compressed on the way costs time at both ends, and cannot be read by ranges. */
export function chunkEncodingFindings({ headers }: Seen): Finding[] {
  const encoding = headers.get("content-encoding");
  if (encoding === null) return [];
  return [
    advise(
      `compression: chunks are sent with Content-Encoding ${encoding}`,
      "compress only JSON documents: chunks are already compressed",
    ),
  ];
}

/** @param protocol what the server chose of h2 and http/1.1; undefined if that is not known */
export function httpFindings(url: URL, protocol: string | undefined, altSvc: string | null): Finding[] {
  if (url.protocol === "http:")
    return [
      advise("HTTP: not encrypted", "serve https: a page of https may not read http, and HTTP/2 needs it"),
    ];
  const isThree = /\bh3\b/.test(altSvc ?? "");
  if (protocol === "h2") return [ok(`HTTP: version 2${isThree ? ", and 3" : ""}`)];
  if (isThree) return [ok("HTTP: version 3")];
  if (protocol === undefined) return [];
  return [
    advise(
      "HTTP: version 1.1, on which a browser makes 6 connections",
      "serve HTTP/2 or 3, for example by a content delivery network, or store larger chunks",
    ),
  ];
}
