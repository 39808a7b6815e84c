/** The layer of one tile: its triangles, a texture of each variable, and the colours. */
import { type DefaultProps, Layer, picking, project32, type UpdateParameters } from "@deck.gl/core";
import type { Texture } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";
import type { ColorScale } from "@wazarr/colors";
import { colorFunction, type LayerTile } from "@wazarr/layer";

const VERTEX = `#version 300 es
in vec3 positions;
in vec3 positions64Low;
in vec2 texCoords;
out vec2 inTile;
void main() {
  inTile = texCoords;
  gl_Position = project_position_to_clipspace(positions, positions64Low, vec3(0));
}`;

/** luma.gl reads a member of the block from each line. @param uniforms names of floats of the expression */
const rasterOf = (uniforms: readonly string[]) => ({
  name: "raster",
  fs: `layout(std140) uniform rasterUniforms {
  vec2 range;
  float opacity;
${uniforms.map((name) => `  float ${name};\n`).join("")}} raster;
`,
  uniformTypes: {
    range: "vec2<f32>" as const,
    opacity: "f32" as const,
    ...Object.fromEntries(uniforms.map((name) => [name, "f32" as const])),
  },
});

function fragmentOf({ names, expression, scale, uniforms }: TileRasterProps): string {
  return `#version 300 es
precision highp float;
${names.map((name) => `uniform highp sampler2D values_${name};`).join("\n")}
uniform sampler2D colorTable;
in vec2 inTile;
out vec4 fragColor;
#define colorRange raster.range
${Object.keys(uniforms)
  .map((name) => `#define ${name} raster.${name}`)
  .join("\n")}
${colorFunction(names, expression, scale)}
void main() {
  vec4 color = colorOf(inTile);
  if (color.a == 0.0) discard;
  fragColor = vec4(color.rgb, color.a * raster.opacity);
  // The tile is one object: its number is 0.
  if (bool(picking.isActive)) fragColor = vec4(1.0 / 255.0, 0, 0, 1);
}`;
}

export interface TileRasterProps {
  readonly tile: LayerTile;
  readonly names: readonly string[];
  readonly expression: string;
  readonly scale: ColorScale;
  readonly uniforms: Readonly<Record<string, number>>;
}

type State = {
  model: Model;
  textures: Texture[];
  colors: Texture;
  table: Uint8Array;
  /** The fragment shader of the model. */
  shader: string;
};

/** Its id tells its tile: deck.gl keeps what has the same id as before. */
export class TileRasterLayer extends Layer<TileRasterProps> {
  static override layerName = "TileRasterLayer";
  static override defaultProps: DefaultProps = { coordinateSystem: "cartesian" };
  declare state: State;

  override initializeState(): void {
    const { tile } = this.props;
    const { mesh } = tile.tile;
    const { size } = mesh;
    const vertices = mesh.positions.length / size;
    const positions = new Float64Array(3 * vertices);
    for (let i = 0; i < vertices; i++) positions.set(mesh.positions.subarray(size * i, size * i + 2), 3 * i);
    const constant = (of: Float64Array | Float32Array | Uint32Array) => ({
      noAlloc: true,
      update: (attribute: { value: unknown }) => {
        attribute.value = of;
      },
    });
    this.getAttributeManager()?.add({
      indices: { size: 1, isIndexed: true, ...constant(mesh.indices) },
      positions: { size: 3, type: "float64", fp64: this.use64bitPositions(), ...constant(positions) },
      texCoords: { size: 2, ...constant(mesh.textureCoordinates) },
    });
    const sampler = { minFilter: "nearest", magFilter: "nearest" } as const;
    const textures = tile.values.map(({ shape: [height, width], data }) =>
      this.context.device.createTexture({ data, width, height, format: "r32float", sampler }),
    );
    this.setState({ textures });
  }

  override updateState({ props }: UpdateParameters<this>): void {
    if (props.scale.table !== this.state.table) {
      const { table } = props.scale;
      this.state.colors?.destroy();
      const sampler = { minFilter: "nearest", magFilter: "nearest" } as const;
      const size = { width: table.length / 4, height: 1, format: "rgba8unorm", sampler } as const;
      this.setState({ colors: this.context.device.createTexture({ data: table, ...size }), table });
      this.state.model?.setBindings({ colorTable: this.state.colors });
    }
    const shader = fragmentOf(props);
    if (shader === this.state.shader) return;
    this.state.model?.destroy();
    this.setState({ model: this.#model(shader), shader });
  }

  #model(fs: string): Model {
    const { tile, names, id, uniforms } = this.props;
    const { textures, colors } = this.state;
    return new Model(this.context.device, {
      ...this.getShaders({ vs: VERTEX, fs, modules: [project32, picking, rasterOf(Object.keys(uniforms))] }),
      id,
      bufferLayout: this.getAttributeManager()?.getBufferLayouts() ?? [],
      topology: "triangle-list",
      isInstanced: false,
      vertexCount: tile.tile.mesh.indices.length,
      bindings: {
        ...Object.fromEntries(textures.map((texture, i) => [`values_${names[i]}`, texture])),
        colorTable: colors,
      },
    });
  }

  override draw(): void {
    const { scale, opacity, uniforms } = this.props;
    const [low, high] = scale.range;
    this.state.model.shaderInputs.setProps({ raster: { range: [low, high], opacity, ...uniforms } });
    this.state.model.draw(this.context.renderPass);
  }

  override finalizeState(context: this["context"]): void {
    super.finalizeState(context);
    for (const texture of [...(this.state.textures ?? []), this.state.colors]) texture?.destroy();
  }
}
