/** How documents of v3 and of numcodecs (v2, the draft) write a codec. The file of the codec says it. */
import type { DataType } from "../../data-types/data-type.js";
import type { JsonObject } from "../../metadata/json.js";

/**
 * `forms` of a codec's entry. Every member has to be known to create or convert an array, and none to read
 * one.
 */
export interface CodecForms {
  /**
   * The formats in which the codec has this name: documents of v2 cannot hold those of v3, and v3 knows those
   * of numcodecs by their names with the prefix "numcodecs.". Undefined if both have the name.
   */
  readonly only?: "v3" | "numcodecs";
  /**
   * The members that a new document states even if the caller does not: those that the specification, or
   * another reader, requires.
   * @param itemSize bytes of the elements that the codec gets, 0 if they have no fixed size
   * @param form of the configuration
   */
  defaults?(itemSize: number, form: "v3" | "numcodecs"): JsonObject;
  /** For a codec of both: the configuration in the form of the other, for the same bytes. */
  readonly both?: {
    /** Undefined if v3 has no equivalent. */
    toV3(configuration: JsonObject, dataType: DataType): JsonObject | undefined;
    toNumcodecs(configuration: JsonObject): JsonObject;
  };
  /** The member that the command line sets after a colon: "zstd:5". */
  readonly level?: string;
  /** For codecs that encode the objects of v2 ("|O"): whether strings are among them. */
  readonly objects?: "strings" | "others";
  /** The member with codecs for the elements that the codec gets. */
  readonly inner?: string;
}

/** `both` for codecs whose configuration v3 and numcodecs write in the same way. */
export const ALIKE: NonNullable<CodecForms["both"]> = {
  toV3: (configuration) => configuration,
  toNumcodecs: (configuration) => configuration,
};
