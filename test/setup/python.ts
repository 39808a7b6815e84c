/**
 * Asks another implementation, in one Python process for all requests of a test file:
 * scripts/oracles/round_trip.py.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readOracles, warnLoudly } from "./oracles.js";

const SCRIPT = fileURLToPath(new URL("../../scripts/oracles/round_trip.py", import.meta.url));

/** A store as JSON: values in base64. */
export type EncodedStore = Readonly<Record<string, string>>;

export interface ReadRequest {
  readonly store: EncodedStore;
  readonly path: string;
  readonly zarr_format: 2 | 3;
  readonly node_type?: "array" | "group";
}
export interface ArrayAnswer {
  readonly shape: readonly number[];
  readonly chunk_shape: readonly number[];
  readonly data_type: string;
  /** Elements as case files carry them; null where there is no fill value. */
  readonly data: string;
  readonly fill_value: string | null;
  /** JSON text as Python's json module writes it. */
  readonly attributes: string;
  readonly dimension_names: readonly (string | null)[] | null;
}
/** A traceback in place of an answer. */
export interface Refusal {
  readonly error: string;
}
export interface Answers {
  readonly versions: Readonly<Record<string, string>>;
  readonly write: readonly ({ readonly store: EncodedStore } | Refusal)[];
  readonly read: readonly (ArrayAnswer | Refusal)[];
}

/** An implementation that round_trip.py knows. */
export interface PythonImplementation {
  readonly title: string;
  readonly module:
    | "zarr_python_3"
    | "zarr_python_2"
    | "tensorstore_oracle"
    | "variable_length"
    | "zep7"
    | "consolidated"
    | "selections"
    | "rectilinear"
    | "n5_zarr_python_2"
    | "n5_tensorstore";
  readonly executable: string | undefined;
}

const { python, debian } = readOracles();

function implementation(
  title: string,
  module: PythonImplementation["module"],
  executable: string | null | undefined,
): PythonImplementation {
  if (executable == null) {
    warnLoudly(`No ${title}: its round trips are SKIPPED. scripts/oracles/install.sh installs it.`);
  }
  return { title, module, executable: executable ?? undefined };
}

export const zarrPython = () =>
  implementation("zarr-python 3", "zarr_python_3", python?.zarr && python.executable);
export const zarrPython2 = () =>
  implementation("zarr-python 2", "zarr_python_2", debian?.zarr && debian.executable);
export const tensorStore = () =>
  implementation("TensorStore", "tensorstore_oracle", python?.tensorstore && python.executable);

/** Hierarchies with consolidated metadata: scripts/oracles/consolidated.py. */
export const zarrPythonConsolidated = () =>
  implementation("zarr-python 3 (consolidated)", "consolidated", python?.zarr && python.executable);

/** What zarr-python selects, and writes there: scripts/oracles/selections.py. */
export const zarrPythonSelections = () =>
  implementation("zarr-python 3 (selections)", "selections", python?.zarr && python.executable);

/** zarr-python with rectilinear chunk grids: scripts/oracles/rectilinear.py. */
export const zarrPythonRectilinear = () =>
  implementation("zarr-python 3 (rectilinear)", "rectilinear", python?.zarr && python.executable);

/** zarr-python as a reader and writer of arrays of variable length: scripts/oracles/variable_length.py. */
export const zarrPythonVariable = () =>
  implementation("zarr-python 3 (variable length)", "variable_length", python?.zarr && python.executable);
export const zarrPython2Variable = () =>
  implementation("zarr-python 2 (variable length)", "variable_length", debian?.zarr && debian.executable);
export const pyarrow = () => implementation("pyarrow", "zep7", python?.pyarrow && python.executable);

/** @param write cases as scripts/oracles/cases.py describes them */
export async function ask(
  { module, executable, title }: PythonImplementation,
  requests: { readonly write: readonly object[]; readonly read: readonly ReadRequest[] },
): Promise<Answers> {
  if (executable === undefined) throw new Error(`${title} is not installed`);
  const process = spawn(executable, [SCRIPT, module], { stdio: ["pipe", "pipe", "inherit"] });
  const output: Buffer[] = [];
  process.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  const exit = new Promise<number | null>((resolve, reject) => {
    process.once("error", reject);
    process.once("close", resolve);
  });
  process.stdin.end(JSON.stringify(requests));
  const status = await exit;
  if (status !== 0) throw new Error(`${title}: ${SCRIPT} ended with status ${status}`);
  const answers: Answers = JSON.parse(Buffer.concat(output).toString("utf8"));
  return answers;
}
