/** Opens buckets by address, with the credentials that other programs take from the environment, too. */
import { AzureStore, type AzureStoreOptions } from "./azure.js";
import type { BucketStore } from "./bucket-store.js";
import { GcsStore, type GcsStoreOptions } from "./gcs.js";
import { S3Store, type S3StoreOptions } from "./s3.js";

/** Options of stores of buckets. Variables of the environment give what is missing. */
export interface BucketsOptions {
  readonly s3?: S3StoreOptions | undefined;
  readonly gcs?: GcsStoreOptions | undefined;
  readonly azure?: AzureStoreOptions | undefined;
}

/** @param address of `isBucket` @throws InvalidArgumentError */
export function openBucket(address: string, { s3, gcs, azure }: BucketsOptions = {}): BucketStore {
  if (address.startsWith("s3:")) return new S3Store(address, { ...s3Environment(), ...s3 });
  if (/^gc?s:/.test(address)) return new GcsStore(address, { ...gcsEnvironment(), ...gcs });
  return new AzureStore(address, { ...azureEnvironment(), ...azure });
}

/** As `openBucket`, with what is given alone: the environment's credentials are not for every bucket. */
export function openPublicBucket(address: string, { s3, gcs, azure }: BucketsOptions): BucketStore {
  if (address.startsWith("s3:")) return new S3Store(address, s3);
  if (/^gc?s:/.test(address)) return new GcsStore(address, gcs);
  return new AzureStore(address, azure);
}

/** A variable of the environment; undefined also if it is empty. */
const variable = (name: string): string | undefined => globalThis.process?.env?.[name] || undefined;

function s3Environment(): S3StoreOptions {
  const [accessKeyId, secretAccessKey] = [variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")];
  const sessionToken = variable("AWS_SESSION_TOKEN");
  return {
    endpoint: variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL"),
    region: variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION"),
    requesterPays: variable("AWS_REQUEST_PAYER") === "requester",
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined,
  };
}

function gcsEnvironment(): GcsStoreOptions {
  return {
    endpoint: variable("STORAGE_EMULATOR_HOST"),
    token: variable("GOOGLE_OAUTH_ACCESS_TOKEN"),
    userProject: variable("GOOGLE_CLOUD_QUOTA_PROJECT"),
  };
}

function azureEnvironment(): AzureStoreOptions {
  const sas = variable("AZURE_STORAGE_SAS_TOKEN");
  return {
    account: variable("AZURE_STORAGE_ACCOUNT"),
    endpoint: variable("AZURE_STORAGE_SERVICE_ENDPOINT"),
    sas,
    token: sas === undefined ? variable("AZURE_STORAGE_TOKEN") : undefined,
  };
}
