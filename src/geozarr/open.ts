/** Opens rasters: answers what reading their place asks for from a store. */
import { isBigInts, isNumbers, openIfThere, product, toLocation, untilAborted } from "../extend.js";
import {
  type DataTypeName,
  get,
  type Location,
  type Node,
  NotFoundError,
  open,
  type Store,
  type StoreOptions,
  UnsupportedError,
  Array as ZarrArray,
} from "../index.js";
import type { Answer, Conversation, NodeFacts, Question } from "./facts.js";
import { GeoRaster, RasterLevel } from "./raster.js";
import { readRaster } from "./read-raster.js";

/** Options of `openGeoZarr`. */
export interface OpenGeoZarrOptions extends StoreOptions {
  /**
   * The name of the array in the group, or in the group of each level: "b04". Not needed if the levels are
   * arrays.
   */
  readonly variable?: string | undefined;
}

/** Coordinates to read at most: 128 MiB as double. */
const MOST_COORDINATES = 2 ** 24;

/**
 * Opens a raster: a group that lists levels (`multiscales`), a group with `variable`, or an array. It reads
 * metadata, and the coordinates of rows and columns if no transform is stated.
 * @throws NotFoundError for a missing node that the metadata or `variable` name; InvalidMetadataError with the
 * node and member for invalid metadata, and for an array without a place (`open` can still read the arrays);
 * UnsupportedError for curvilinear and unstructured grids; InvalidArgumentError for a group that needs
 * `variable`
 */
export async function openGeoZarr<S extends Store>(
  where: Location<S> | S,
  { variable, signal }: OpenGeoZarrOptions = {},
): Promise<GeoRaster<S>> {
  return untilAborted(signal, async () => {
    const start = where instanceof ZarrArray ? where : await open(toLocation(where), { signal });
    const nodes = new Nodes<S>(start, signal);
    const placed = await nodes.hold(readRaster(factsOf(start), variable));
    const levels = placed.map(({ path, array, grid }) => new RasterLevel(path, nodes.arrayAt(array), grid));
    return new GeoRaster(levels, levels.find(({ grid }) => grid.crs !== undefined)?.grid.crs);
  });
}

/** What is known of an opened node. */
export function factsOf(node: Node): NodeFacts {
  const { path, metadata } = node;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const { attributes } = metadata;
  if (node.kind === "group") return { path, name, attributes, array: undefined };
  const {
    shape,
    metadata: { dimensionNames },
  } = node;
  const dimensions = shape.map((_, d) => dimensionNames?.[d] ?? "");
  return { path, name, attributes, array: { shape, dimensions } };
}

/** The nodes that a conversation asked for, each opened once. */
class Nodes<S extends Store> {
  readonly #start: Location<S>;
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<string, Promise<Node<S> | undefined>>();
  readonly #arrays = new Map<string, ZarrArray<DataTypeName, S>>();

  constructor(start: Node<S>, signal: AbortSignal | undefined) {
    this.#start = start;
    this.#signal = signal;
    this.#opened.set(start.path, Promise.resolve(start));
    if (start.kind === "array") this.#arrays.set(start.path, start);
  }

  /** Answers questions until the conversation ends. */
  async hold<Result>(conversation: Conversation<Result>): Promise<Result> {
    let step = conversation.next();
    while (step.done !== true) {
      const answers = await Promise.all(step.value.map((question) => this.#answer(question)));
      step = conversation.next(answers);
    }
    return step.value;
  }

  arrayAt(path: string): ZarrArray<DataTypeName, S> {
    const array = this.#arrays.get(path);
    if (array !== undefined) return array;
    throw new NotFoundError("expected an array", { path });
  }

  async #answer({ path, wants }: Question): Promise<Answer> {
    const node = await this.#nodeAt(path);
    if (wants === "node") return { node: node && factsOf(node) };
    return { elements: node?.kind === "array" ? await this.#elementsOf(node) : undefined };
  }

  #nodeAt(path: string): Promise<Node<S> | undefined> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const opening = openIfThere(this.#start.resolve(path), { signal: this.#signal }).then((node) => {
      if (node?.kind === "array") this.#arrays.set(path, node);
      return node;
    });
    this.#opened.set(path, opening);
    return opening;
  }

  /** @returns undefined for elements that are no numbers */
  async #elementsOf(array: ZarrArray<DataTypeName, S>): Promise<Float64Array | undefined> {
    const {
      path,
      shape,
      metadata: { attributes },
    } = array;
    if (product(shape) > MOST_COORDINATES)
      throw new UnsupportedError(
        `expected at most ${MOST_COORDINATES} coordinates, got ${product(shape)}: write spatial:transform instead`,
        { path },
      );
    const { data } = await get(array, null, { signal: this.#signal });
    if (!isNumbers(data) && !isBigInts(data)) return undefined;
    const { scale_factor: scale = 1, add_offset: offset = 0 } = attributes;
    const [factor, shift] = [Number(scale), Number(offset)];
    return Float64Array.from<number | bigint>(data, (each) => Number(each) * factor + shift);
  }
}
