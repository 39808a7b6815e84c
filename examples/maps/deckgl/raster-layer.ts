/** A layer of one tile: triangles in Mercator's plane, and a texture of values that the shader colours. */
import { type DefaultProps, Layer, project32 } from "@deck.gl/core";
import type { Texture } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";
import type { Tile } from "wazarr/tiles";
import { COLORS, RANGE } from "../raster.js";

const VERTEX = `#version 300 es
in vec3 positions;
in vec3 positions64Low;
in vec2 texCoords;
out vec2 inTile;
void main() {
  inTile = texCoords;
  gl_Position = project_position_to_clipspace(positions, positions64Low, vec3(0));
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform highp sampler2D values;
in vec2 inTile;
out vec4 color;
${COLORS}
void main() {
  color = colorOf(texture(values, inTile).r, raster.range);
  if (color.a == 0.0) discard;
}`;
const raster = {
  name: "raster",
  fs: "layout(std140) uniform rasterUniforms { vec2 range; } raster;\n",
  uniformTypes: { range: "vec2<f32>" },
} as const;

/** Its id tells its tile: deck.gl keeps what has the same id as before. */
export class RasterLayer extends Layer<{ readonly tile: Tile<"float32"> }> {
  static override layerName = "RasterLayer";
  static override defaultProps: DefaultProps = { coordinateSystem: "cartesian" };
  #model: Model | undefined;
  #texture: Texture | undefined;

  override initializeState(): void {
    const { shape, data, mesh } = this.props.tile;
    const { device } = this.context;
    const value = new Float64Array((mesh.positions.length / 2) * 3);
    for (let i = 0; i < mesh.positions.length / 2; i++)
      value.set(mesh.positions.subarray(2 * i, 2 * i + 2), 3 * i);
    const constant = (of: Float64Array | Float32Array | Uint32Array) => ({
      noAlloc: true,
      update: (attribute: { value: unknown }) => {
        attribute.value = of;
      },
    });
    const attributes = this.getAttributeManager();
    attributes?.add({
      indices: { size: 1, isIndexed: true, ...constant(mesh.indices) },
      positions: { size: 3, type: "float64", fp64: this.use64bitPositions(), ...constant(value) },
      texCoords: { size: 2, ...constant(mesh.textureCoordinates) },
    });
    const [height, width] = shape;
    const sampler = { minFilter: "nearest", magFilter: "nearest" } as const;
    this.#texture = device.createTexture({ data, width, height, format: "r32float", sampler });
    this.#model = new Model(device, {
      ...this.getShaders({ vs: VERTEX, fs: FRAGMENT, modules: [project32, raster] }),
      id: this.props.id,
      bufferLayout: attributes?.getBufferLayouts() ?? [],
      topology: "triangle-list",
      isInstanced: false,
      vertexCount: mesh.indices.length,
      bindings: { values: this.#texture },
    });
    this.setState({ model: this.#model });
  }

  override draw(): void {
    this.#model?.shaderInputs.setProps({ raster: { range: RANGE } });
    this.#model?.draw(this.context.renderPass);
  }

  override finalizeState(context: this["context"]): void {
    super.finalizeState(context);
    this.#texture?.destroy();
  }
}
