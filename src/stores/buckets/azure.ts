/**
 * Reads and writes containers of Azure Blob Storage.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { AzureStore } from "wazarr/stores/azure";
 *
 * const store = new AzureStore("az://container/climate.zarr", { account: "account" });
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 * @module
 */

import {
  type Authorize,
  checkNames,
  InvalidArgumentError,
  type NamesOf,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import { BUCKET_OPTIONS, type BucketOptions, BucketStore, checkPartBytes } from "./bucket-store.js";
import { pathOf, prefixOf } from "./object-names.js";
import {
  type BucketProtocol,
  type Command,
  type Condition,
  type Failure,
  PART_BYTES,
  type Page,
  type Upload,
} from "./protocol.js";
import { azureUrl } from "./public-endpoints.js";
import { checkCredential, type Renewable, type Renewal, Renewed } from "./renewed.js";
import { childrenOf, parseXml, textOf, type XmlElement } from "./xml.js";

/** Options of `AzureStore`. */
export interface AzureStoreOptions extends BucketOptions {
  /** Name of the storage account, unless the address or `endpoint` has it. */
  readonly account?: string | undefined;
  /** URL of the account, if it is not https://ACCOUNT.blob.core.windows.net. */
  readonly endpoint?: string | URL | undefined;
  /**
   * A shared access signature ("sv=...&sig=..."), or a function that gives one: before the first request, and
   * once more when the service refuses it.
   */
  readonly sas?: Renewable<string> | undefined;
  /** An OAuth token of Microsoft Entra, or a function that gives one, as for `sas`. */
  readonly token?: Renewable<string> | undefined;
}

const OPTIONS: NamesOf<AzureStoreOptions> = {
  ...BUCKET_OPTIONS,
  account: true,
  endpoint: true,
  sas: true,
  token: true,
};

/** Reads, writes and lists a container, or what is below a prefix in one. */
export class AzureStore extends BucketStore {
  /**
   * @param address "az://CONTAINER/PREFIX" with `account` or `endpoint`, or
   * "abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX"; the prefix as it is, without escapes
   * @throws InvalidArgumentError for another address, and for wrong options
   */
  constructor(address: string, options: AzureStoreOptions = {}) {
    checkNames(options, "AzureStore", OPTIONS);
    super(new AzureProtocol(address, options), options);
  }
}

/** OAuth tokens, conditions and blocks of 4,000 MiB are in this version and later ones. */
const VERSION = "2021-12-02";

const ADVICE: Readonly<Record<string, string>> = {
  AccountIsDisabled: "ask the owner of the account",
  AuthenticationFailed: "check `sas` or `token`, how long it is valid, and the clock of this machine",
  AuthorizationFailure: "the network rules of the account refuse this machine",
  AuthorizationPermissionMismatch: "check what `sas` or the owner of `token` may do",
  ContainerNotFound: "check the container's name and the account",
  InvalidAuthenticationInfo: "check `token`: it may have expired",
  NoAuthenticationInformation: "the container is not public: pass `sas` or `token`",
  PublicAccessNotPermitted: "the account allows no public reads: pass `sas` or `token`",
  ResourceNotFound: "the container is missing or not public: check its name, or pass `sas` or `token`",
};

class AzureProtocol implements BucketProtocol {
  readonly url: URL;
  readonly prefix: string;
  readonly headers = { "x-ms-version": VERSION };
  readonly authorize: Authorize | undefined;
  /** The service ignores ranges of the last bytes. */
  readonly readsSuffixes = false;
  readonly isConditional = true;
  readonly partBytes: number;
  readonly #container: URL;
  readonly #canRenew: boolean = false;

  constructor(address: string, options: AzureStoreOptions) {
    const { container, account, path } = partsOf(address);
    this.#container = containerUrl(container, account, options);
    this.prefix = prefixOf(path);
    this.url = this.objectUrl(this.prefix);
    this.partBytes = checkPartBytes(options.partBytes ?? PART_BYTES, 1);
    const { sas, token } = options;
    if (sas !== undefined && token !== undefined)
      throw new InvalidArgumentError("sas: cannot be combined with token");
    const secret = sas ?? token;
    if (secret === undefined) return;
    const credentials = new Renewed(secret, (each) =>
      checkCredential(each, sas === undefined ? "token" : "sas"),
    );
    this.#canRenew = credentials.canRenew;
    this.authorize = async ({ url, expired }) => {
      const credential = await credentials.get(expired);
      if (sas === undefined) return { headers: { authorization: `Bearer ${credential}` } };
      const signed = new URL(url);
      for (const [name, value] of new URLSearchParams(credential)) signed.searchParams.set(name, value);
      return { url: signed };
    };
  }

  objectUrl(name: string): URL {
    const url = new URL(this.#container);
    url.pathname = `${url.pathname}/${pathOf(name)}`;
    return url;
  }

  put(name: string, condition: Condition | undefined): Command {
    const headers = { "x-ms-blob-type": "BlockBlob", ...conditional(condition) };
    return { method: "PUT", url: this.objectUrl(name), headers };
  }

  remove(name: string): Command {
    return { method: "DELETE", url: this.objectUrl(name) };
  }

  /** Blocks that nobody lists in the end are removed by the service after a week. */
  async upload(name: string, condition: Condition | undefined, { send, sendParts }: Upload): Promise<void> {
    // Identifiers of one blob have one length. Writers at the same time must not take each other's blocks.
    const blockId = crypto.randomUUID();
    const ids: string[] = [];
    await sendParts(async (index, body) => {
      const id = btoa(`${blockId}-${String(index).padStart(6, "0")}`);
      ids[index] = id;
      await send({
        method: "PUT",
        url: withQuery(this.objectUrl(name), { comp: "block", blockid: id }),
        body,
      });
    });
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
    await send({
      method: "PUT",
      url: withQuery(this.objectUrl(name), { comp: "blocklist" }),
      headers: conditional(condition),
      body: new TextEncoder().encode(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`),
    });
  }

  list(prefix: string, isDeep: boolean, next: string | undefined): Command {
    const query = {
      restype: "container",
      comp: "list",
      maxresults: "1000",
      prefix,
      ...(!isDeep && { delimiter: "/" }),
      ...(next !== undefined && { marker: next }),
    };
    return { method: "GET", url: withQuery(this.#container, query) };
  }

  page(text: string): Page {
    const listing = parseXml(text, "EnumerationResults");
    const [blobs] = childrenOf(listing, "Blobs");
    if (blobs === undefined) throw new StoreError("it lacks <Blobs>");
    return {
      names: childrenOf(blobs, "Blob").map(nameOf),
      prefixes: childrenOf(blobs, "BlobPrefix").map(nameOf),
      next: textOf(listing, "NextMarker") || undefined,
    };
  }

  failure({ status, headers }: Response, text: string): Failure {
    const detail = saidIn(text);
    const code = headers.get("x-ms-error-code") ?? detail.code;
    const isExpired =
      status === 401 || code === "AuthenticationFailed" || (status === 403 && code === undefined);
    return {
      code,
      message: detail.message,
      advice: ADVICE[code ?? ""],
      isExpired: isExpired && this.#canRenew,
      isOfBucket: code === "ContainerNotFound" || code === "ResourceNotFound",
    };
  }
}

/** @throws InvalidArgumentError. The address is not shown: it may have a signature */
function partsOf(address: string): { container: string; account: string | undefined; path: string } {
  const [, container, account, path = ""] =
    /^(?:az|abfss?):\/\/([$\w-]+)(?:@([\w-]+)\.(?:dfs|blob)\.core\.windows\.net)?(?:\/(.*))?$/s.exec(
      address,
    ) ?? [];
  if (container !== undefined) return { container, account, path };
  throw new InvalidArgumentError(
    'expected an address such as "az://CONTAINER/PREFIX" for a container of Azure',
  );
}

function containerUrl(container: string, named: string | undefined, options: AzureStoreOptions): URL {
  const { account = named, endpoint } = options;
  if (account === undefined && endpoint === undefined)
    throw new InvalidArgumentError(
      `az://${container} does not name its account; write abfs://${container}@ACCOUNT.dfs.core.windows.net, or pass \`account\` (in Node also AZURE_STORAGE_ACCOUNT)`,
    );
  const address = String(endpoint ?? azureUrl(account ?? "")).replace(/\/$/, "");
  const url = URL.canParse(address) ? new URL(`${address}/${container}`) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.username === "")
    return url;
  throw new InvalidArgumentError(
    "expected the name of an account as `account`, or an http(s) URL without query and password as `endpoint`",
  );
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const all = new URL(url);
  for (const [name, value] of Object.entries(query)) all.searchParams.set(name, value);
  return all;
}

function conditional(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {};
  if (condition === null) return { "if-none-match": "*" };
  if (typeof condition === "string" && condition.includes('"')) return { "if-match": condition };
  throw new UnsupportedError(
    "a write that depends on the version of a value needs its ETag: in a browser, CORS has to expose `ETag`",
  );
}

/** The name of a blob. Names that XML has no form for are URL-encoded. @throws StoreError */
function nameOf(blob: XmlElement): string {
  const [element] = childrenOf(blob, "Name");
  const name = element?.text ?? "";
  if (!/\bEncoded\s*=\s*["']true/.test(element?.attributes ?? "")) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    throw new StoreError(`a name in it is not URL-encoded: ${JSON.stringify(name.slice(0, 100))}`);
  }
}

/** Code and message of the document of an error; empty if it is not one. The rest may repeat signatures. */
function saidIn(text: string): { code?: string; message?: string } {
  try {
    const error = parseXml(text, "Error");
    const code = textOf(error, "Code");
    const [message] = textOf(error, "Message")?.split("\n") ?? [];
    return { ...(code && { code }), ...(message && { message }) };
  } catch {
    return {};
  }
}

export type { BucketOptions, Renewable, Renewal };
