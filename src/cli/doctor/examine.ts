/** Looks at a hierarchy as a page would, and yields what it finds. */

import { HttpStore } from "../../core/stores/http/http.js";
import { layoutOf, withoutSecrets } from "../../extend.js";
import { type AbsolutePath, isZarrError, Location, type Node, open, type Store } from "../../index.js";
import { addressKind, openStore } from "../../stores/addresses/open-store.js";
import { ZipStore } from "../../stores/zip/zip.js";
import { isUnfinished } from "../../work/jobs.js";
import { withAdvice } from "../open-node.js";
import type { NodeName } from "../stores.js";
import { HOW_TO_FINISH, UNFINISHED } from "../text/notes.js";
import * as answers from "./answers.js";
import { consolidatedFindings } from "./consolidated.js";
import { chunkFindings, codecFindings, formatFindings, isSharded } from "./data.js";
import { advise, type Finding, problem } from "./finding.js";
import { type FirstTile, readFirstTile, type Survey, survey } from "./first-tile.js";
import { Meter } from "./meter.js";
import { ask, askDocument, askPreflight, ProbedStore, protocolOf } from "./probes.js";
import { type Failure, Steps } from "./steps.js";

/** @param origin of the page that reads */
export async function* examine(name: NodeName, origin: string): AsyncGenerator<Finding, void, undefined> {
  const { store: address, path, allow } = name;
  const steps = new Steps();
  const { failures } = steps;
  const kind = addressKind(address);
  const opened = await steps.attempt("open", () => openStore(address, { allow }));
  const store = kind === "url" ? probed(opened, steps) : opened;
  const node =
    store &&
    (await steps.attempt("open", () => withAdvice(name, () => open(new Location(store).resolve(path)))));
  const found = node && (await steps.attempt("arrays", () => survey(node)));
  const tile =
    found &&
    store &&
    (await steps.attempt("first tile", () => firstTile(store, node?.path ?? path, found, steps)));
  let isSilent = false;
  if (kind === "url")
    isSilent = yield* serverFindings(placesOf(address, path, store, node, found, tile), origin);
  else if (kind !== "path")
    yield advise(
      "CORS, ranges, HTTP: not checked",
      `to check these, pass the https address of the data${opened instanceof HttpStore ? `: ${withoutSecrets(opened.url.href)}` : ""}`,
    );
  // One finding says that the server does not answer; the others would only repeat it.
  yield* failures.filter((each) => !(isSilent && isUnanswered(each))).map(failure);
  if (node === undefined) return;
  yield* formatFindings(node);
  if (await steps.attempt("unfinished copies", () => isUnfinished(node)))
    yield advise(UNFINISHED, HOW_TO_FINISH);
  if (node.kind === "group") {
    failures.length = 0;
    const consolidated = await steps.attempt("consolidated metadata", () => consolidatedFindings(node));
    yield* consolidated ?? failures.map(failure);
    if (found === undefined && failures.length === 0)
      yield advise(
        "first tile: not checked, because the arrays are unknown",
        "name one: wazarr doctor STORE PATH",
      );
  }
  for (const array of found?.arrays ?? []) {
    yield* codecFindings(array);
    yield* chunkFindings(array, array === found?.first ? tile?.encoded : undefined);
  }
  yield* tile?.findings ?? [];
}

/** Measures requests to an HTTP store. Other stores stay as they are: a bucket's store signs. */
const probed = (store: Store | undefined, steps: Steps): Store | undefined =>
  store instanceof HttpStore ? new ProbedStore(store.url, new Meter(steps)) : store;

function firstTile(store: Store, path: string, found: Survey, steps: Steps): Promise<FirstTile> {
  const meter = new Meter(steps);
  return store instanceof ProbedStore
    ? readFirstTile(new ProbedStore(store.url, meter), meter, "request", path, found)
    : readFirstTile(meter.over(store), meter, "read", path, found);
}

function failure({ step, error }: Failure): Finding {
  const message = withoutSecrets(error instanceof Error ? error.message : String(error));
  // Most messages say what to do after what is wrong.
  const [, what = message, advice = adviceFor(error)] = /^(.*?); (.+)$/s.exec(message) ?? [];
  return problem(`${step}: ${what}`, advice);
}

function adviceFor(error: unknown): string {
  if (isZarrError(error, "NotFoundError")) return "check the address and PATH";
  if (isZarrError(error, "StoreError")) return "check the address, the network and the permission to read";
  if (isZarrError(error, "InvalidArgumentError")) return "check the address";
  return "run wazarr verify to find out what is wrong in the data";
}

const isUnanswered = ({ error }: Failure): boolean =>
  isZarrError(error, "StoreError") && error.isTransient && error.status === undefined;

/** The addresses to ask. */
interface Places {
  readonly document: URL;
  /** The longest document. */
  readonly longest: URL;
  /** A value of elements, or undefined. */
  readonly chunk: URL | undefined;
  /** A missing key; undefined for a single file. */
  readonly missing: URL | undefined;
  /** Whether the data are read by ranges. */
  readonly needsRanges: boolean;
}

function placesOf(
  address: string,
  path: string,
  store: Store | undefined,
  node: Node | undefined,
  found: Survey | undefined,
  tile: FirstTile | undefined,
): Places {
  if (!(store instanceof ProbedStore)) {
    const file = new URL(address);
    const needsRanges = store instanceof ZipStore;
    const chunk = needsRanges ? file : undefined;
    return { document: file, longest: file, chunk, missing: undefined, needsRanges };
  }
  const at = node ?? new Location(store).resolve(path);
  const isOld = node?.metadata.zarrFormat === 2;
  const document = isOld ? (node.kind === "array" ? ".zarray" : ".zgroup") : "zarr.json";
  const first = found?.first;
  const key: AbsolutePath | undefined =
    first && tile?.encoded !== undefined ? layoutOf(first).keyOf(first.shape.map(() => 0)) : undefined;
  return {
    document: store.addressOf(at.resolve(document).path),
    longest: store.addressOf(isOld ? "/.zmetadata" : at.resolve(document).path),
    chunk: key && store.addressOf(key),
    missing: store.addressOf(at.resolve("wazarr-doctor/this-key-is-not-there").path),
    needsRanges: found?.arrays.some(isSharded) ?? false,
  };
}

/** @returns whether the server does not answer */
async function* serverFindings(places: Places, origin: string): AsyncGenerator<Finding, boolean, undefined> {
  const { document, longest, chunk, missing, needsRanges } = places;
  const ranged = chunk ?? document;
  try {
    // An archive that is a single file is read only as far as needed.
    const isFile = chunk === document;
    const first = isFile ? await ask(document, origin, "bytes=0-9") : await askDocument(document, origin);
    yield* answers.documentFindings(first);
    yield* answers.corsFindings(first, origin);
    if (first.status < 200 || first.status > 299) return false;
    const isOpen = answers.isOpenTo(origin, first);
    if (isOpen) yield* answers.preflightFindings(await askPreflight(ranged, origin), origin);
    const [begin, end] = [await ask(ranged, origin, "bytes=0-9"), await ask(ranged, origin, "bytes=-4")];
    yield* answers.rangeFindings(begin, end, needsRanges);
    if (missing !== undefined) {
      const answer = await ask(missing, origin);
      yield* answers.missingFindings(answer, !isOpen || answers.isOpenTo(origin, answer));
    }
    if (!isFile) {
      const other = longest.href === document.href ? first : await askDocument(longest, origin);
      yield* answers.compressionFindings(other.status === 200 ? other : first);
      if (chunk !== undefined) yield* answers.chunkEncodingFindings(await ask(chunk, origin));
    }
    yield* answers.httpFindings(document, await protocolOf(document), first.headers.get("alt-svc"));
    return false;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    const reason = `${error instanceof Error ? error.message : String(error)}${cause}`;
    yield problem(
      `no answer from ${withoutSecrets(document.href)}: ${withoutSecrets(reason)}`,
      "check the address and the network",
    );
    return true;
  }
}
