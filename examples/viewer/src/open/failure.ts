/** Why nothing could be opened, as far as a page can find out. */
import { isZarrError } from "wazarr";

export type Failure =
  /** The server answers, and does not let this page read the answer. */
  | { readonly kind: "cors"; readonly host: string }
  | { readonly kind: "silent"; readonly host: string }
  | { readonly kind: "offline" }
  | { readonly kind: "missing" }
  | { readonly kind: "other" };

const NO_ANSWER = /no answer from (https?:\S+): /;

export async function failureOf(error: unknown): Promise<Failure> {
  if (isZarrError(error, "NotFoundError")) return { kind: "missing" };
  const [, address] = NO_ANSWER.exec(error instanceof Error ? error.message : "") ?? [];
  if (address === undefined || !isZarrError(error, "StoreError")) return { kind: "other" };
  if (!navigator.onLine) return { kind: "offline" };
  const { host, origin } = new URL(address);
  if (origin === location.origin) return { kind: "silent", host };
  // A page may always ask; without CORS it only learns that there was an answer.
  return fetch(address, { method: "HEAD", mode: "no-cors" }).then(
    () => ({ kind: "cors", host }),
    () => ({ kind: "silent", host }),
  );
}
