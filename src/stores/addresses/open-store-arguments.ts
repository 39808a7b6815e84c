/** What `openStore` is given, checked before anything is asked for. */
import { checkNames, describeGiven, InvalidArgumentError, isReadable } from "../../core/for-stores.js";
import { shownName } from "../file-ranges/address-urls.js";
import { BUCKET_SCHEMES } from "./addresses.js";
import { OPEN_STORE_OPTIONS, type OpenStoreOptions } from "./open-remote.js";
import { splitPipeline } from "./pipelines.js";

/** What an address may begin with, besides names of directories. */
const SCHEMES = ["https", "http", ...BUCKET_SCHEMES, "file"];

/**
 * An address that `openStore` was given, as a string.
 * @throws InvalidArgumentError for something that is not an address, or an unknown scheme
 */
export function givenAddress(value: unknown): string {
  const address = value instanceof URL ? value.href : value;
  if (typeof address !== "string" || address === "") {
    const got = isReadable(value) ? "a store: give it to open() itself" : describeGiven(value);
    throw new InvalidArgumentError(
      `openStore: expected an address, such as "data.zarr" or "https://example.com/data.zarr", got ${got}`,
    );
  }
  const { root: named } = splitPipeline(address);
  const [, scheme = "", slashes] = /^([a-z][a-z\d+.-]+):(\/\/)?/i.exec(named) ?? [];
  const isKnown = SCHEMES.includes(scheme) || /^(?:https?|file)$/i.test(scheme);
  // "file:/data.zarr" is as good as "file:///data.zarr".
  if (isKnown && slashes === undefined && !/^file:\//i.test(named))
    throw new InvalidArgumentError(`${shownName(address)}: two slashes are missing, ${scheme}://`);
  if (!isKnown && slashes !== undefined) {
    const names = SCHEMES.map((name) => `${name}://`).join(", ");
    throw new InvalidArgumentError(
      `${shownName(address)}: ${scheme}:// cannot be opened, only paths and ${names} (in lower case)`,
    );
  }
  return address;
}

/** @throws InvalidArgumentError for an option that `openStore` does not have, or of a wrong type */
export function checkOpenStoreOptions(options: OpenStoreOptions): void {
  for (const kind of ["branch", "tag", "snapshot"])
    if (Object.hasOwn(Object(options), kind))
      throw new InvalidArgumentError(
        `openStore has no option "${kind}": the address says it, "data|icechunk://${kind === "snapshot" ? "ID" : `${kind}.NAME`}/"`,
      );
  checkNames(options, "openStore", OPEN_STORE_OPTIONS);
}
