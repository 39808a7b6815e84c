/** OME-Zarr without a store: what the attributes of a group say. */
import { checkNames, checkObject, type NamesOf, ownMember } from "../../extend.js";
import { InvalidArgumentError, type JsonObject } from "../../index.js";
import type { Axis } from "./axes.js";
import { contentOf, fitLevels } from "./content.js";
import { metadataOf, type OmeZarrVersion } from "./metadata.js";
import type { Field, PlateLayout } from "./plate.js";
import type { ImageLabel, Rendering } from "./rendering.js";
import type { Systems } from "./systems.js";
import { type AffineMap, stepLengths } from "./transformations.js";

/** Options of `parseOmeZarr`. */
export interface ParseOmeZarrOptions {
  /** Index in `multiscales`, for a group that has several. Default: 0. */
  readonly multiscale?: number | undefined;
  /**
   * The shapes of the levels' arrays, by their paths. With them the ranks are checked, and levels without
   * transformations, as before 0.4, get those that the shapes tell.
   */
  readonly shapes?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** One level of a parsed image. */
export interface ParsedLevel {
  /** Path of the array below the group. */
  readonly path: string;
  /** As in `Level`; undefined if it depends on shapes that are not given. */
  readonly transformation: AffineMap | undefined;
  /** Size of a pixel along each axis, in the unit of the axis. */
  readonly pixelSize: readonly number[] | undefined;
}

const OPTIONS: NamesOf<ParseOmeZarrOptions> = { multiscale: true, shapes: "object" };

interface Parsed {
  /** Version in the metadata; undefined if they have none. */
  readonly version: OmeZarrVersion | undefined;
  /** Deviations from the specification that reading tolerates. */
  readonly warnings: readonly string[];
}

/** An image, as its metadata describe it. */
export interface ParsedImage extends Parsed, Systems {
  readonly kind: "image";
  /** Name in the metadata; undefined if they have none. */
  readonly name: string | undefined;
  /** One per dimension. Without shapes, images that do not name their axes have five. */
  readonly axes: readonly Axis[];
  /** Levels, the finest first. */
  readonly levels: readonly ParsedLevel[];
  /** How its channels are shown; undefined if the metadata say nothing. */
  readonly rendering: Rendering | undefined;
  /** Colours and properties of label values; undefined unless it is a label image. */
  readonly label: ImageLabel | undefined;
}

/** What the attributes of a group say, by `kind`. The series of a "collection" are in its group "OME". */
export type ParsedOmeZarr =
  | ParsedImage
  | (Parsed & { readonly kind: "plate"; readonly layout: PlateLayout })
  | (Parsed & { readonly kind: "well"; readonly fields: readonly Field[] })
  | (Parsed & { readonly kind: "labels"; readonly names: readonly string[] })
  | (Parsed & { readonly kind: "collection" })
  | (Parsed & Systems & { readonly kind: "scene"; readonly names: readonly string[] });

/**
 * Parses the attributes of a group, versions 0.1 to 0.6 and 0.9, as `openOmeZarr` does.
 * @throws InvalidMetadataError with the member, UnsupportedError for another version and for a transformation
 * that is not affine, InvalidArgumentError for an index beyond the end of `multiscales`
 */
export function parseOmeZarr(attributes: JsonObject, options: ParseOmeZarrOptions = {}): ParsedOmeZarr {
  checkNames(options, "parseOmeZarr", OPTIONS);
  const { multiscale: index = 0, shapes } = options;
  checkObject(attributes, "attributes", "an object");
  const metadata = metadataOf(attributes, "/");
  const content = contentOf(metadata, index);
  const { version, warnings } = metadata;
  if (content.kind !== "image") return { ...content, version, warnings };
  const { multiscale, rendering, label, systems, transformations } = content;
  const { datasets, name } = multiscale;
  const { axes, maps } =
    shapes === undefined
      ? { axes: multiscale.axes, maps: datasets.map(({ map }) => map) }
      : fitLevels(
          multiscale,
          datasets.map(({ path }) => shapeAt(shapes, path)),
          metadata.warnings,
        );
  const levels = datasets.map(({ path }, i): ParsedLevel => {
    const map = maps[i];
    return { path, transformation: map, pixelSize: map && stepLengths(map) };
  });
  return { kind: "image", version, warnings, name, axes, levels, rendering, label, systems, transformations };
}

function shapeAt(shapes: Readonly<Record<string, readonly number[]>>, path: string): readonly number[] {
  const shape = ownMember(shapes, path);
  if (shape !== undefined) return shape;
  throw new InvalidArgumentError(`shapes: expected the shape of ${JSON.stringify(path)}, got undefined`);
}
