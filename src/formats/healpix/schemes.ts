/** The indexing schemes by their names in documents. */
import { checkObject, describe } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";
import { type Cell, checkFace } from "./cell.js";
import { cellOfNested, cellOfNuniq, cellOfZuniq, cellsOf, nestedOf, nuniqOf, zuniqOf } from "./nested.js";
import { cellOfRing, ringOf } from "./ring.js";

/** How cells are numbered; `nuniq` and `zuniq` have the level in the index. */
export type IndexingScheme = "nested" | "ring" | "nuniq" | "zuniq";

/** The functions of one scheme. */
interface Scheme {
  indexOf(cell: Cell): bigint;
  /** Undefined for an index that no cell of this level has. */
  cellOf(level: number, index: bigint): Cell | undefined;
}

const within = (cellOf: (level: number, index: bigint) => Cell): Scheme["cellOf"] => {
  return (level, index) => (index >= 0n && index < cellsOf(level) ? cellOf(level, index) : undefined);
};
const ofLevel = (cellOf: (index: bigint) => Cell | undefined): Scheme["cellOf"] => {
  return (level, index) => {
    const cell = cellOf(index);
    return cell?.level === level ? cell : undefined;
  };
};

const SCHEMES: Readonly<Record<IndexingScheme, Scheme>> = {
  nested: { indexOf: nestedOf, cellOf: within(cellOfNested) },
  ring: { indexOf: ringOf, cellOf: within(cellOfRing) },
  nuniq: { indexOf: nuniqOf, cellOf: ofLevel(cellOfNuniq) },
  zuniq: { indexOf: zuniqOf, cellOf: ofLevel(cellOfZuniq) },
};

/** @throws InvalidArgumentError for a name that is none of a scheme */
export function schemeOf(name: IndexingScheme): Scheme {
  if (Object.hasOwn(SCHEMES, name)) return SCHEMES[name];
  throw new InvalidArgumentError(
    `scheme: expected one of ${Object.keys(SCHEMES).join(", ")}, got ${describe(name)}`,
  );
}

/** @throws InvalidArgumentError for a cell that the level does not have */
export function checkCell(cell: Cell, level: number): void {
  checkObject(cell, "cell", "an object with level, face, x and y");
  const side = 2 ** level;
  checkFace(cell.face);
  if (
    cell.level === level &&
    [cell.x, cell.y].every((each) => Number.isInteger(each) && each >= 0 && each < side)
  )
    return;
  throw new InvalidArgumentError(
    `cell: expected x and y from 0 to ${side - 1} at level ${level}, got ${describe({ ...cell })}`,
  );
}
