/** Asks numcodecs, in one Python process for all requests: scripts/oracles/numcodecs_oracle.py. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject } from "../../src/metadata/json.js";

const SCRIPT = fileURLToPath(new URL("../../scripts/oracles/numcodecs_oracle.py", import.meta.url));

export interface EncodeRequest {
  /** A numcodecs configuration with its id. */
  readonly codec: JsonObject;
  readonly recipe: string;
  readonly length: number;
}
export interface DecodeRequest {
  readonly codec: JsonObject;
  /** Base64. */
  readonly encoded: string;
}
/** Elements that numpy holds as objects: values of JSON, or byte strings. */
export type NumcodecsObject = Json | { readonly base64: string };
export interface EncodeObjectsRequest {
  readonly codec: JsonObject;
  readonly objects: readonly NumcodecsObject[];
  readonly shape: readonly number[];
}
export interface DecodeObjectsRequest extends DecodeRequest {
  readonly as_objects: true;
}
export interface NumcodecsAnswer {
  readonly objects?: readonly NumcodecsObject[];
  readonly encoded?: string;
  readonly sha256?: string;
  readonly length?: number;
  readonly error?: string;
}

/** @param executable a Python that has numcodecs and numpy */
export function askNumcodecs(
  executable: string,
  requests: readonly (EncodeRequest | DecodeRequest | EncodeObjectsRequest | DecodeObjectsRequest)[],
): readonly NumcodecsAnswer[] {
  const { status, stdout, stderr } = spawnSync(executable, [SCRIPT], {
    input: JSON.stringify(requests),
    maxBuffer: 2 ** 30,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${SCRIPT} ended with status ${status}: ${stderr}`);
  const answers: readonly NumcodecsAnswer[] = JSON.parse(stdout);
  return answers;
}
