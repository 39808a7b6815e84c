/**
 * How an asset is opened, as the extensions say: xarray-assets 1.0 (`xarray:open_kwargs`,
 * `xarray:storage_options`), its fields as EOPF and CEDA write them, and storage 1 and 2. What the data say
 * themselves is not read here: the version of Zarr, consolidated metadata.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../core/for-stores.js";
import type { AzureStoreOptions } from "../buckets/azure.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import type { S3StoreOptions } from "../buckets/s3.js";

/** What of the parameters counts: where and what the data are, not how dask cuts them. */
export interface OpenParameters {
  /** Of xarray: "zarr", "kerchunk". */
  readonly engine: string | undefined;
  /** The group of a store, without "/" at its ends; "" for the root. */
  readonly group: string;
  /** Where the bucket is, as `openStore` takes it. */
  readonly buckets: BucketsOptions;
}

const KWARGS = [
  "xarray:open_kwargs",
  "xarray:open_dataset_kwargs",
  "xarray:open_datatree_kwargs",
  "open_zarr_kwargs",
];

/** @param document the item's properties, or the collection: fields that hold for all of its assets */
export function parametersOf(asset: JsonObject, document: JsonObject): OpenParameters {
  const kwargs = Object.assign(
    {},
    ...[document, asset].flatMap((each) => KWARGS.map((name) => part(each, name))),
  );
  const nested = part(kwargs, "backend_kwargs");
  const storage: JsonObject = {
    ...storageOf(part(kwargs, "storage_options")),
    ...storageOf(part(nested, "storage_options")),
    ...storageOf(part(document, "xarray:storage_options")),
    ...storageOf(part(asset, "xarray:storage_options")),
  };
  return {
    engine: text(kwargs.engine),
    group: (text(kwargs.group) ?? text(nested.group) ?? "").replace(/^\/+|\/+$/g, ""),
    buckets: bucketsOf({ ...schemeOf(asset, document), ...storage }),
  };
}

const part = (object: JsonObject, name: string): JsonObject => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
};
const text = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The options of fsspec, those of what a reference document names included, by one name each. */
function storageOf(options: JsonObject): Record<string, Json> {
  const client = part(options, "client_kwargs");
  const found: Record<string, Json | undefined> = {
    account: options.account_name ?? options.account,
    // A shared access signature, which signed documents of Planetary Computer have.
    sas: options.credential ?? options.sas_token,
    region: options.region ?? options.region_name ?? client.region_name,
    endpoint: options.endpoint_url ?? client.endpoint_url,
    requesterPays: options.requester_pays,
  };
  return defined(found);
}

/** What the storage extension says: of version 2 by reference, of version 1 in the asset. */
function schemeOf(asset: JsonObject, document: JsonObject): Record<string, Json> {
  const references = asset["storage:refs"];
  const [name] = isJsonArray(references) ? references : [];
  const scheme = typeof name === "string" ? part(part(document, "storage:schemes"), name) : {};
  const platform = text(scheme.platform);
  const isOther = scheme.type === "custom-s3" && platform !== undefined;
  return defined({
    account: scheme.account,
    region: scheme.region ?? asset["storage:region"] ?? document["storage:region"],
    endpoint: isOther ? platform.replace(/\/?\{bucket\}.*/, "") : undefined,
    requesterPays:
      scheme.requester_pays ?? asset["storage:requester_pays"] ?? document["storage:requester_pays"],
  });
}

function defined(values: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) found[name] = value;
  return found;
}

/** A part of the name of a host: another text would name another host. */
const isName = (value: Json | undefined): value is string =>
  typeof value === "string" && /^[a-z\d][a-z\d-]{0,62}$/.test(value);

function bucketsOf({ account, sas, region, endpoint, requesterPays }: JsonObject): BucketsOptions {
  const s3: S3StoreOptions = {
    ...(isName(region) && { region }),
    ...(typeof endpoint === "string" && /^https?:/i.test(endpoint) && URL.canParse(endpoint) && { endpoint }),
    ...(requesterPays === true && { requesterPays }),
  };
  const azure: AzureStoreOptions = {
    ...(isName(account) && { account }),
    ...(typeof sas === "string" && sas !== "" && { sas }),
  };
  return {
    ...(Object.keys(s3).length > 0 && { s3 }),
    ...(Object.keys(azure).length > 0 && { azure }),
  };
}
