/** Signs requests to buckets of S3's protocol, by the npm package `aws4fetch`. */
import { type Authorize, InvalidArgumentError, lazy, UnsupportedError } from "../../core/for-stores.js";
import { checkCredential, type Renewable, Renewed } from "./renewed.js";

/** Keys to sign requests with. */
export interface S3Credentials {
  /** Id of the key. */
  readonly accessKeyId: string;
  /** Signs requests and is never sent. */
  readonly secretAccessKey: string;
  /** Token of a session, such as one of STS. */
  readonly sessionToken?: string | undefined;
  /** When the session ends; a function that gave them is called again shortly before. */
  readonly expiration?: Date | string | undefined;
}

/** Milliseconds before keys expire when others are asked for. */
const EARLY = 60_000;
const loadSigner = lazy(async () => {
  try {
    return (await import("aws4fetch")).AwsV4Signer;
  } catch (cause) {
    throw new UnsupportedError("requests to S3 are signed by the package aws4fetch: npm install aws4fetch", {
      cause,
    });
  }
});

const isOver = ({ expiration }: S3Credentials): boolean =>
  expiration !== undefined && new Date(expiration).getTime() - EARLY < Date.now();

/** @throws InvalidArgumentError */
function checkKeys(keys: S3Credentials): void {
  // Callers in JavaScript may pass anything.
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = Object(keys);
  checkCredential(accessKeyId, "credentials: accessKeyId");
  checkCredential(secretAccessKey, "credentials: secretAccessKey");
  if (sessionToken !== undefined) checkCredential(sessionToken, "credentials: sessionToken");
  const isTime = expiration instanceof Date || typeof expiration === "string";
  if (expiration !== undefined && !(isTime && Number.isFinite(new Date(expiration).getTime())))
    throw new InvalidArgumentError(
      "credentials: expiration: expected a date, or a time as ISO 8601 writes it",
    );
}

/** @throws InvalidArgumentError for keys that are none */
export function renewedKeys(source: Renewable<S3Credentials>): Renewed<S3Credentials> {
  return new Renewed(source, checkKeys, isOver);
}

/**
 * Signs each request with the keys of the moment. It throws an InvalidArgumentError for keys that HTTP cannot
 * send.
 */
export function signedWith(credentials: Renewed<S3Credentials>, region: string): Authorize {
  /** The signer derives its key once a day. */
  const derived = new WeakMap<S3Credentials, Map<string, ArrayBuffer>>();
  return async ({ url, method, headers, expired }) => {
    const keys = await credentials.get(expired);
    const cache = derived.get(keys) ?? new Map<string, ArrayBuffer>();
    derived.set(keys, cache);
    const { accessKeyId, secretAccessKey, sessionToken } = keys;
    const Signer = await loadSigner();
    const request = { url: url.href, method, headers, service: "s3", region, cache };
    const signing = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    try {
      return { headers: (await new Signer({ ...request, ...signing }).sign()).headers };
    } catch {
      // The cause is left out: it contains the keys.
      throw new InvalidArgumentError(
        "credentials: expected keys that HTTP can send: letters of Latin-1 without line breaks",
      );
    }
  };
}
