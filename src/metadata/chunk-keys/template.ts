/**
 * The chunk key encoding `template`, proposed for zarr-extensions (pull request 69), for stacks of images and
 * the like:
 * { "name": "template", "configuration": { "format": "images/{-1}/{*:04}.jpeg", "separator": "_" } }
 */
import type { ChunkKeyEncodingEntry } from "../chunk-key-encodings.js";
import type { Member } from "../member.js";

/** An index that stands in keys, at least so many digits long. */
interface Field {
  readonly dimension: number;
  readonly width: number;
}
type Piece = string | Field;

/** Most digits that an index is padded to: more than any index has. */
const MOST_DIGITS = 255;
/** An escaped brace, an expression, or a brace that is neither. */
const BRACES = /\{\{|\}\}|\{(\*|0|-?[1-9]\d*)(?::0([1-9]\d*))?\}|[{}]/g;

export const template: ChunkKeyEncodingEntry = {
  name: "template",
  fromConfig(configuration, rank) {
    configuration.ignorable(["format", "template", "separator"]);
    // The specification's table has "template", its examples and its schema have "format".
    const format = configuration.get(configuration.get("format").isNull ? "template" : "format");
    const pieces = piecesOf(format, configuration.get("separator"), rank);
    const fields = pieces.filter((piece) => typeof piece !== "string");
    const pattern = new RegExp(
      `^${pieces.map((piece) => (typeof piece === "string" ? escaped(piece) : "(\\d+)")).join("")}$`,
    );
    return {
      keyOf: (coordinates) =>
        pieces
          .map((piece) =>
            typeof piece === "string" ? piece : `${coordinates[piece.dimension]}`.padStart(piece.width, "0"),
          )
          .join(""),
      coordinatesOf(key) {
        const [, ...found] = pattern.exec(key) ?? [];
        if (found.length !== rank) return undefined;
        const coordinates = new Array<number>(rank).fill(0);
        for (const [i, { dimension }] of fields.entries()) coordinates[dimension] = Number(found[i]);
        return coordinates;
      },
    };
  },
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** @throws InvalidMetadataError */
function piecesOf(format: Member, separator: Member, rank: number): readonly Piece[] {
  const text = format.string();
  const pieces: (Piece | { readonly width: number; readonly rest: true })[] = [];
  const named = new Set<number>();
  let end = 0;
  for (const { 0: found, 1: index, 2: width = "0", index: start } of text.matchAll(BRACES)) {
    pieces.push(text.slice(end, start));
    end = start + found.length;
    if (index === undefined) {
      if (found.length === 1)
        throw format.invalid("{{ and }} for braces, and only an index or * in single braces");
      pieces.push(found.slice(1));
      continue;
    }
    if (Number(width) > MOST_DIGITS) throw format.invalid(`at most ${MOST_DIGITS} digits`);
    if (index === "*") {
      if (pieces.some((piece) => typeof piece !== "string" && "rest" in piece))
        throw format.invalid("at most one *");
      pieces.push({ width: Number(width), rest: true });
      continue;
    }
    const dimension = Number(index) < 0 ? rank + Number(index) : Number(index);
    if (dimension < 0 || dimension >= rank || named.has(dimension))
      throw format.invalid(`each of ${rank} dimensions once`);
    named.add(dimension);
    pieces.push({ width: Number(width), dimension });
  }
  pieces.push(text.slice(end));
  const others = Array.from({ length: rank }, (_, d) => d).filter((d) => !named.has(d));
  const all = pieces.flatMap((piece): readonly Piece[] => {
    if (typeof piece === "string" || !("rest" in piece)) return [piece];
    const between = separator.string();
    if (others.length === 0) throw format.invalid(`a dimension for * in an array of ${rank}`);
    return others.flatMap((dimension, i) => [...(i > 0 ? [between] : []), { dimension, width: piece.width }]);
  });
  const count = all.filter((piece) => typeof piece !== "string").length;
  if (count === 0 || count !== rank) throw format.invalid(`each of ${rank} dimensions once`);
  checkApart(all, format);
  return all;
}

/** Indices with only digits between them would give two chunks one key. */
function checkApart(pieces: readonly Piece[], format: Member): void {
  let between = "-";
  for (const piece of pieces) {
    if (typeof piece === "string") between += piece;
    else if (/^\d*$/.test(between))
      throw format.invalid(
        "a separator other than digits between two indices, or two chunks would share a key",
      );
    else between = "";
  }
}
