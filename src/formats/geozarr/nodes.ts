/** The nodes of a store that a conversation (facts.ts) asks for. */
import { isBigInts, isNumbers, openIfThere, product } from "../../extend.js";
import {
  children,
  type DataTypeName,
  get,
  type Location,
  type Node,
  type Store,
  UnsupportedError,
  type Array as ZarrArray,
} from "../../index.js";
import { type Answer, type Conversation, folderOf, type NodeFacts, type Question } from "./facts.js";

/** Coordinates to read at most: 128 MiB as double. */
const MOST_COORDINATES = 2 ** 24;

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
export class Nodes<S extends Store> {
  readonly #start: Location<S>;
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<string, Promise<Node<S> | undefined>>();
  /** Groups of which all nodes are open. */
  readonly #listed = new Set<string>();
  readonly #arrays = new Map<string, ZarrArray<DataTypeName, S>>();

  constructor(start: Node<S>, signal: AbortSignal | undefined) {
    this.#start = start;
    this.#signal = signal;
    this.#know(start);
  }

  /** Opens all nodes of a group. @throws UnsupportedError for a store without a listing */
  async list(group: string): Promise<Node<S>[]> {
    const nodes = await children(this.#start.resolve(group), { signal: this.#signal });
    for (const node of nodes) this.#know(node);
    this.#listed.add(group);
    return nodes;
  }

  #know(node: Node<S>): void {
    this.#opened.set(node.path, Promise.resolve(node));
    if (node.kind === "array") this.#arrays.set(node.path, node);
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

  /** An array that was opened; undefined if it was not needed. */
  arrayAt(path: string): ZarrArray<DataTypeName, S> | undefined {
    return this.#arrays.get(path);
  }

  async #answer({ path, wants }: Question): Promise<Answer> {
    const node = await this.#nodeAt(path);
    if (wants === "node") return { node: node && factsOf(node) };
    return { elements: node?.kind === "array" ? await this.#elementsOf(node) : undefined };
  }

  #nodeAt(path: string): Promise<Node<S> | undefined> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    if (this.#listed.has(folderOf(path))) return Promise.resolve(undefined);
    const opening = openIfThere(this.#start.resolve(path), { signal: this.#signal }).then((node) => {
      if (node !== undefined) this.#know(node);
      return node;
    });
    this.#opened.set(path, opening);
    return opening;
  }

  /** @returns undefined for elements that are not numbers */
  async #elementsOf(array: ZarrArray<DataTypeName, S>): Promise<Float64Array | undefined> {
    const {
      path,
      shape,
      metadata: { attributes },
    } = array;
    if (product(shape) > MOST_COORDINATES)
      throw new UnsupportedError(
        `expected at most ${MOST_COORDINATES} coordinates, got ${product(shape)}; write spatial:transform instead`,
        { path },
      );
    const { data } = await get(array, null, { signal: this.#signal });
    if (!isNumbers(data) && !isBigInts(data)) return undefined;
    const { scale_factor: scale = 1, add_offset: offset = 0 } = attributes;
    const [factor, shift] = [Number(scale), Number(offset)];
    return Float64Array.from<number | bigint>(data, (each) => Number(each) * factor + shift);
  }
}
