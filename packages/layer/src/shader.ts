/** The fragment shader of all layers: the values of a tile, an expression of them, and its colour. */
import type { ColorScale } from "@wazarr/colors";

/** A float32 that stands for missing elements: not every graphics card keeps NaN. */
export const MISSING = -(2 ** 100);

/**
 * The expression of a picture.
 * @param uniforms names of numbers that it uses beside the variables
 * @throws TypeError for several variables without one, and names that are none of GLSL
 */
export function expressionOf(
  names: readonly string[],
  given: string | undefined,
  uniforms: readonly string[] = [],
): string {
  const wrong = [...names, ...uniforms].find((name) => !/^[a-z][a-z\d]*(_[a-z\d]+)*$/i.test(name));
  if (wrong !== undefined)
    throw new TypeError(
      `variables, uniforms: expected names of letters and digits, got ${JSON.stringify(wrong)}`,
    );
  if (given !== undefined) return given;
  const [only, ...others] = names;
  if (only === undefined) throw new TypeError("variables: expected one or more, got none");
  if (others.length === 0) return only;
  if (["red", "green", "blue"].every((name) => names.includes(name)))
    return "vec3(scaled(red), scaled(green), scaled(blue))";
  throw new TypeError(`expression: expected an expression of ${names.join(", ")}, got none`);
}

/**
 * A function `vec4 colorOf(vec2 place)`: the colour at a place in the tile, of which the alpha is not multiplied
 * into the others; transparent where a variable is missing. The program has the textures `values_NAME` and
 * `colorTable`, and `colorRange`.
 */
export function colorFunction(names: readonly string[], expression: string, { glsl }: ColorScale): string {
  const read = names.map((name) => `  float ${name} = texture(values_${name}, place).r;`).join("\n");
  const isMissing = names.map((name) => `${name} == ${MISSING.toFixed(1)}`).join(" || ");
  return `${glsl}
vec4 colored(float value) {
  return isnan(value) ? vec4(0) : texture(colorTable, vec2(shareOf(value, colorRange), 0.5));
}
vec4 colored(vec3 color) { return vec4(clamp(color, 0.0, 1.0), 1); }
vec4 colored(vec4 color) { return clamp(color, 0.0, 1.0); }
float scaled(float value) { return (value - colorRange.x) / (colorRange.y - colorRange.x); }
vec4 colorOf(vec2 place) {
${read}
  if (${isMissing}) return vec4(0);
  return colored(${expression});
}`;
}

/** For WebGL 2 without a library. Colours have their alpha multiplied into them. */
export function fragmentShader(
  names: readonly string[],
  expression: string,
  scale: ColorScale,
  uniforms: readonly string[],
): string {
  return `#version 300 es
precision highp float;
${names.map((name) => `uniform highp sampler2D values_${name};`).join("\n")}
uniform sampler2D colorTable;
uniform vec2 colorRange;
uniform float opacity;
${uniforms.map((name) => `uniform float ${name};`).join("\n")}
in vec2 inTile;
out vec4 fragColor;
${colorFunction(names, expression, scale)}
void main() {
  vec4 color = colorOf(inTile);
  if (color.a == 0.0) discard;
  float alpha = color.a * opacity;
  fragColor = vec4(color.rgb * alpha, alpha);
}`;
}
