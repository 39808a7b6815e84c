/** The store that a URL names. What few of them need is loaded then. */
import { type Store, withMaybeConsolidatedMetadata } from "wazarr";
import { HttpStore } from "wazarr/stores/http";
import { ServedStore } from "./served-store.js";

/**
 * @param text as a user typed it: http(s), s3://BUCKET/KEY, icechunk:URL@BRANCH, zip:URL, or a path on the
 * viewer's own server
 */
export async function openUrl(text: string): Promise<Store> {
  const [, named] = /^icechunk:(.+)$/.exec(text.trim()) ?? [];
  if (named !== undefined) {
    const [, repository = named, kind = "branch:", name] =
      /^(\w+:\/\/[^/]+\/[^?#]*)@(tag:|snapshot:)?([^@/?#]+)$/.exec(named) ?? [];
    const revision = name === undefined ? {} : { [kind.slice(0, -1)]: name };
    return (await import("wazarr/stores/icechunk")).IcechunkStore.open(repository, revision);
  }
  const [, archive] = /^zip:(.+)$/.exec(text.trim()) ?? [];
  const url = new URL(httpsOf(archive ?? text.trim()), location.href);
  if (archive !== undefined || /\.(?:zip|ozx)$/i.test(url.pathname))
    return (await import("wazarr/stores/zip")).ZipStore.fromUrl(url);
  // Somebody may have copied the address of a document of the hierarchy itself.
  url.pathname = url.pathname.replace(/\/(?:zarr\.json|\.zarray|\.zgroup|\.zmetadata)$/, "/");
  if (/\.json$/i.test(url.pathname)) {
    const { ReferenceStore } = await import("wazarr/stores/reference");
    return withMaybeConsolidatedMetadata(await ReferenceStore.fromUrl(url));
  }
  // That server says 404 for what is not there, and lists: consolidated metadata are not needed.
  if (url.origin === location.origin) {
    const served = new ServedStore(url);
    if (await served.canList()) return served;
  }
  return withMaybeConsolidatedMetadata(new HttpStore(url));
}

/** Public buckets are behind HTTPS. */
function httpsOf(text: string): string {
  const s3 = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text);
  const gs = /^gc?s:\/\/(.+)$/.exec(text);
  const azure = /^abfss?:\/\/([^@/]+)@([^./]+)\.dfs\.([^/]+)\/?(.*)$/.exec(text);
  if (s3) return `https://${s3[1]}.s3.amazonaws.com/${s3[2]}`;
  if (azure) return `https://${azure[2]}.blob.${azure[3]}/${azure[1]}/${azure[4]}`;
  return gs ? `https://storage.googleapis.com/${gs[1]}` : text;
}
