/**
 * What the metadata say, without a store. Reading the place of a raster is a conversation: a generator asks
 * for nodes and coordinates, and whoever runs it answers from a store (open.ts) or from memory (parse.ts).
 */
import { Member } from "../../extend.js";
import type { JsonObject } from "../../index.js";

/** A node and what is known of it. */
export interface NodeFacts {
  /** Path in the store, with its leading "/". */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly attributes: JsonObject;
  /** Undefined for a group. */
  readonly array: ArrayFacts | undefined;
}

export interface ArrayFacts {
  readonly shape: readonly number[];
  /** "" for a dimension without a name. */
  readonly dimensions: readonly string[];
}

/** A question for a node by its path in the store, or for the elements of an array. */
export interface Question {
  readonly path: string;
  readonly wants: "node" | "elements";
}

/** Undefined for a missing node, and for elements that are not numbers. */
export interface Answer {
  readonly node?: NodeFacts | undefined;
  readonly elements?: Float64Array | undefined;
}

/** Asks questions, several at once, and is continued with an answer for each. */
export type Conversation<Result> = Generator<readonly Question[], Result, readonly Answer[]>;

/** The nodes at these paths; nothing is asked for a path that is undefined. */
export function* nodesAt(paths: readonly (string | undefined)[]): Conversation<(NodeFacts | undefined)[]> {
  return (yield* ask(paths, "node")).map((answer) => answer?.node);
}

/** The elements of the arrays at these paths; nothing is asked for a path that is undefined. */
export function* elementsAt(
  paths: readonly (string | undefined)[],
): Conversation<(Float64Array | undefined)[]> {
  return (yield* ask(paths, "elements")).map((answer) => answer?.elements);
}

function* ask(
  paths: readonly (string | undefined)[],
  wants: Question["wants"],
): Conversation<(Answer | undefined)[]> {
  const questions = paths.flatMap((path) => (path === undefined ? [] : [{ path, wants }]));
  const answers = questions.length === 0 ? [] : (yield questions).values();
  const next = answers[Symbol.iterator]();
  return paths.map((path) => (path === undefined ? undefined : next.next().value));
}

/** Holds conversations side by side: their questions are asked together. */
export function* together<Result>(conversations: readonly Conversation<Result>[]): Conversation<Result[]> {
  let steps = conversations.map((each) => each.next());
  while (steps.some(({ done }) => done !== true)) {
    const answers = yield steps.flatMap((step) => (step.done === true ? [] : step.value));
    let used = 0;
    steps = steps.map((step, i) => {
      if (step.done === true) return step;
      const answered = answers.slice(used, used + step.value.length);
      used += step.value.length;
      return conversations[i]?.next(answered) ?? step;
    });
  }
  return steps.flatMap((step) => (step.done === true ? [step.value] : []));
}

export function memberOf({ attributes, path }: NodeFacts): Member {
  return new Member(attributes, { path });
}

/** The path of a node below a group. */
export function below(group: string, name: string): string {
  return group === "/" ? `/${name}` : `${group}/${name}`;
}

/** The group of a node. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Whether a name, of a dimension or in a list, can be that of an array in the same group. */
export function isNodeName(name: string): boolean {
  return typeof name === "string" && name !== "" && !name.includes("/") && !/^\.+$/.test(name);
}
