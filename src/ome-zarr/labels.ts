/** `image-label`: what the values of a label image stand for. */
import { isJsonObject, type Json } from "../metadata/json.js";
import type { Member } from "../metadata/member.js";
import { numberOf, numbersOf, optionalString } from "./members.js";

export interface ImageLabel {
  /** Red, green, blue, alpha from 0 to 255, by label value. */
  readonly colors: ReadonlyMap<number, readonly [number, number, number, number]>;
  /** Whatever else the file says of a label value, by label value. */
  readonly properties: ReadonlyMap<number, Readonly<Record<string, Json>>>;
  /** Where the labelled image is, from the label image's group: "../../" unless the file says otherwise. */
  readonly source: string;
}

/** @throws InvalidMetadataError naming the member */
export function imageLabelOf(member: Member): ImageLabel {
  const source = member.get("source");
  const colors = new Map<number, readonly [number, number, number, number]>();
  for (const item of listOf(member.get("colors"))) {
    const rgba = item.get("rgba");
    const [r = 0, g = 0, b = 0, a = 255] = rgba.isNull ? [] : numbersOf(rgba, 4);
    if ([r, g, b, a].some((value) => !Number.isInteger(value) || value < 0 || value > 255)) {
      throw rgba.invalid("four integers from 0 to 255");
    }
    if (!rgba.isNull) colors.set(numberOf(item.get("label-value")), [r, g, b, a]);
  }
  const properties = new Map<number, Readonly<Record<string, Json>>>();
  for (const item of listOf(member.get("properties"))) {
    properties.set(numberOf(item.get("label-value")), item.others(["label-value"]));
  }
  const image = isJsonObject(source.json) ? optionalString(source.get("image")) : undefined;
  return { colors, properties, source: image ?? "../../" };
}

function listOf(member: Member): readonly Member[] {
  return member.isNull ? [] : member.list();
}
