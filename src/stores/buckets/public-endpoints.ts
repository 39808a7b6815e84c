/** Where services have the buckets that anybody may read: the one home of their hosts. */

/** Google Cloud Storage. */
export const GOOGLE = "https://storage.googleapis.com";

/** A bucket of Amazon S3; without a region, the host that sends requests on to the bucket's. */
export function amazonUrl(bucket: string, region?: string): string {
  const host = region === undefined ? "s3.amazonaws.com" : `s3.${region}.amazonaws.com`;
  // The certificate of virtual hosts is for names without dots.
  if (/^[a-z0-9-]+$/.test(bucket)) return `https://${bucket}.${host}`;
  return `https://${host}/${encodeURIComponent(bucket)}`;
}

/** A storage account of Azure. */
export const azureUrl = (account: string): string => `https://${account}.blob.core.windows.net`;
