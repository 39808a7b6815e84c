/**
 * Makes addresses fit to be shown in errors and logs: their queries may be signatures, and they may contain
 * passwords.
 */

/** A URL without its query and password. */
export const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

/** An address as a document or a caller wrote it, without what may be secret. It need not be a valid URL. */
export const shownAddress = (address: string): string => withoutSecrets(address.replace(/\?.*/s, ""));

/** A text, such as a message of the platform, with every address in it fit to be shown. */
export function withoutSecrets(text: string): string {
  // Each pattern excludes the character that it begins with, so that long texts take linear time.
  return text
    .replace(/:\/\/[^\s"'<>]+/g, (rest) => rest.replace(/^:\/\/[^/?#]*@/, "://").replace(/[?#].*/s, ""))
    .replace(/\?[^\s"'<>?=]*=[^\s"'<>]*/g, "");
}
