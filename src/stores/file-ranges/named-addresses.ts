/** Which addresses a document may name: any but those of the machine that reads it. */
import { StoreError, shown } from "../../core/for-stores.js";

/**
 * @param allow beginnings of URLs that may be named nevertheless
 * @throws StoreError for another address of this machine
 */
export function checkNamed(url: URL, allow: readonly string[]): void {
  if (!isOfThisMachine(url) || allow.some((prefix) => isBelow(url, prefix))) return;
  throw new StoreError(
    `${shown(url)} is an address of this machine, which a document may not choose; --allow, or the option \`allow\`, names those that it may`,
  );
}

/**
 * Whether a URL's host is this machine, or is reached by its link alone, as the metadata services of clouds
 * are.
 */
function isOfThisMachine({ hostname }: URL): boolean {
  // `URL` has normalised the address: "127.1" and "0x7f000001" are "127.0.0.1" here.
  const isName = /^(?:.+\.)?localhost\.?$/.test(hostname);
  const isVersion4 = /^(?:0|127|169\.254)\.[\d.]+$/.test(hostname);
  // An address of version 4 may be written as one of version 6: [::ffff:7f00:1].
  return isName || isVersion4 || /^\[(?:::1?|::ffff:(?:7f..|a9fe|0):.+|fe[89ab].*)\]$/.test(hostname);
}

/** Whether a URL is `prefix`, a URL, or is below it. */
function isBelow({ origin, pathname }: URL, prefix: string): boolean {
  if (!URL.canParse(prefix)) return false;
  const { origin: ownOrigin, pathname: path } = new URL(prefix);
  return origin === ownOrigin && (pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")));
}
