/** The assets of an item or a collection: where each is, what it is, and how it is opened. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../core/for-stores.js";
import { addressOfNode } from "../addresses/pipelines.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import { addressOf, splitGroup } from "./hrefs.js";
import { type AssetForm, formOf } from "./media-types.js";
import { parametersOf } from "./open-parameters.js";
import { type StacVariable, variablesOf } from "./variables.js";

/** A file or a store that a document names. */
export interface StacAsset {
  /** Key in `assets`; that of an alternate is "KEY/NAME". */
  readonly key: string;
  /** Its `title`, if it has one. */
  readonly title: string | undefined;
  /** Its `roles`, such as "data". */
  readonly roles: readonly string[];
  /** What it is; undefined for what wazarr does not open, such as a thumbnail. */
  readonly form: AssetForm | undefined;
  /** Where the file or folder is, absolute; undefined for a scheme that `openStore` does not open. */
  readonly href: string | undefined;
  /** Address for `openStore`: what is at `href`, and the group. Undefined if wazarr cannot open it. */
  readonly address: string | undefined;
  /**
   * Further options for `openStore`: region, endpoint and payer of a bucket, account and signature in Azure.
   */
  readonly options: BucketsOptions;
  /** The data variables that the datacube extension lists. */
  readonly variables: readonly StacVariable[];
  /** The same file elsewhere, by the alternate-assets extension. */
  readonly alternates: readonly StacAsset[];
}

/** Assets of one document, and alternates of one asset, that are read. */
const MOST_ASSETS = 10_000;
const MOST_ALTERNATES = 100;

/**
 * @param owner has `assets`
 * @param shared fields that hold for all assets: the properties of an item, or the collection
 * @param base address of the document, from which relative addresses count
 */
export function assetsOf(owner: JsonObject, shared: JsonObject, base: string): StacAsset[] {
  const { assets } = owner;
  if (!isJsonObject(assets)) return [];
  return Object.entries(assets)
    .slice(0, MOST_ASSETS)
    .flatMap(([key, asset]) => (isJsonObject(asset) ? assetOf(key, asset, shared, base) : []));
}

function assetOf(key: string, asset: JsonObject, shared: JsonObject, base: string): StacAsset {
  const { alternate, ...plainAsset } = asset;
  const others = isJsonObject(alternate) ? Object.entries(alternate).slice(0, MOST_ALTERNATES) : [];
  // An alternate says where the file is. All else is as in the asset.
  const alternates = others.flatMap(([name, other]) =>
    isJsonObject(other) ? placed(`${key}/${name}`, { ...plainAsset, ...other }, shared, base, []) : [],
  );
  return placed(key, plainAsset, shared, base, alternates);
}

function placed(
  key: string,
  asset: JsonObject,
  shared: JsonObject,
  base: string,
  alternates: readonly StacAsset[],
): StacAsset {
  const [href, type] = [textOf(asset.href) ?? "", textOf(asset.type)];
  const roles = isJsonArray(asset.roles) ? asset.roles.filter((role) => typeof role === "string") : [];
  const parameters = parametersOf(asset, shared);
  const form = formOf({ type, roles, href, engine: parameters.engine });
  const address = addressOf(href, base);
  return {
    key,
    title: textOf(asset.title),
    roles,
    form,
    href: address,
    address: address && form && pipelineOf(address, form, parameters.group, textOf(asset.version)),
    options: parameters.buckets,
    variables: variablesOf(asset, shared),
    alternates,
  };
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function pipelineOf(address: string, form: AssetForm, group: string, version: string | undefined): string {
  if (form !== "hierarchy") return addressOfNode(address + segmentOf(form, version), group);
  const { root, group: assetGroup } = splitGroup(address);
  return addressOfNode(root, [assetGroup, group].filter(Boolean).join("/"));
}

/** What an address says of a form whatever the name of the file is. */
function segmentOf(form: Exclude<AssetForm, "hierarchy">, version: string | undefined): string {
  if (form === "icechunk") return `|icechunk:${revisionOf(version)}`;
  if (form === "references" || form === "parquet") return "|kerchunk:";
  return `|${form}:`;
}

/** The version of a repository: the id of a snapshot, or the name of a tag. */
function revisionOf(version: string | undefined): string {
  if (version === undefined || version === "main") return "";
  return /^[\dA-Z]{20}$/.test(version) ? `//${version}/` : `//tag.${encodeURIComponent(version)}/`;
}
