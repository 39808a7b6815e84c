/** A layer of a variable of a Zarr store, or of the channels of an image. */
import {
  CompositeLayer,
  type DefaultProps,
  type GetPickingInfoParams,
  type Layer,
  type PickingInfo,
  type UpdateParameters,
  type Viewport,
  WebMercatorViewport,
} from "@deck.gl/core";
import { colorScale } from "@wazarr/colors";
import { type Cell, LayerData, type LayerOptions } from "@wazarr/layer";
import type { PlaneProjection, TileView } from "wazarr/tiles";
import { TileRasterLayer } from "./tile-raster-layer.js";

export interface ZarrLayerProps extends Omit<LayerOptions, "opacity" | "fade"> {
  /** The data are open: their dimensions, and the unit of the first variable. */
  readonly onReady?:
    | ((data: { readonly dimensions: Readonly<Record<string, number>>; readonly unit: string }) => void)
    | undefined;
  /** A picture was drawn: its step, and whether all tiles of the view have arrived or failed. */
  readonly onStep?: ((step: Readonly<Record<string, number>>, isComplete: boolean) => void) | undefined;
  /** The data could not be opened, or a tile of the view could not be read. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** What `onHover` and `onClick` have of the element under the pointer; undefined where there is none. */
export type ZarrPickingInfo = PickingInfo<unknown, { readonly cell?: Cell | undefined }>;

type State = {
  /** Counts what was opened: what arrives for an older one is dropped. */
  opening: number;
  data: LayerData | undefined;
  failures: ReadonlySet<unknown>;
};

/** Mercator's plane of deck.gl, 512 wide. */
const mercator = new WebMercatorViewport();
const plane: PlaneProjection = {
  turn: 512,
  forward: (point) => mercator.projectFlat(point),
  inverse: (point) => mercator.unprojectFlat(point),
};

/**
 * In a `MapView` data with a place on Earth, in an `OrthographicView` levels in pixels. Another `selection`,
 * other colours or another range in the props change the picture; a step is drawn once it covers the view.
 */
export class ZarrLayer extends CompositeLayer<ZarrLayerProps> {
  static override layerName = "ZarrLayer";
  static override defaultProps: DefaultProps<ZarrLayerProps> = {
    onReady: { type: "function", value: () => undefined, optional: true },
    onStep: { type: "function", value: () => undefined, optional: true },
    onFailure: { type: "function", value: (error: unknown) => console.error(error), optional: true },
  };
  declare state: State;

  override initializeState(): void {
    this.setState({ opening: 0, data: undefined, failures: new Set() });
  }

  /** Also when the view has changed. */
  override shouldUpdateState({ changeFlags }: UpdateParameters<this>): boolean {
    return changeFlags.somethingChanged;
  }

  override updateState({ props, oldProps, changeFlags }: UpdateParameters<this>): void {
    const differs = (...names: (keyof ZarrLayerProps)[]): boolean =>
      names.some((name) => JSON.stringify(props[name]) !== JSON.stringify(oldProps[name]));
    if (
      props.source !== oldProps.source ||
      differs("variable", "variables", "expression", "missing", "place")
    ) {
      void this.#open();
      return;
    }
    const { data } = this.state;
    if (data === undefined) return;
    if (differs("colors", "range", "center", "log", "classes")) void this.#color(data);
    if (differs("uniforms")) {
      data.uniforms = props.uniforms ?? {};
      this.setNeedsUpdate();
    }
    if (differs("selection")) void this.#guard(data.select(props.selection ?? {}));
    if (changeFlags.viewportChanged) this.#show(data);
  }

  override renderLayers(): Layer[] {
    const { data } = this.state;
    if (data === undefined) return [];
    this.#tell(data);
    const { names, expression, scale, uniforms } = data;
    return data.tiles().map((tile) => {
      const common = this.getSubLayerProps({ id: tile.id });
      return new TileRasterLayer({
        ...common,
        coordinateSystem: "cartesian",
        tile,
        names,
        expression,
        scale,
        uniforms,
      });
    });
  }

  override getPickingInfo({ info }: GetPickingInfoParams): ZarrPickingInfo {
    const [x, y] = info.coordinate ?? [];
    const isPlace = info.picked && x !== undefined && y !== undefined;
    return { ...info, cell: isPlace ? this.state.data?.drawnAt([x, y]) : undefined };
  }

  override finalizeState(context: this["context"]): void {
    super.finalizeState(context);
    this.state.data?.close();
    this.state.opening++;
  }

  async #open(): Promise<void> {
    const { state } = this;
    state.data?.close();
    state.data = undefined;
    const opening = ++state.opening;
    await this.#guard(
      LayerData.open(this.props, plane, () => this.#changed()).then((data) => {
        if (state.opening !== opening) return data.close();
        this.setState({ data });
        this.#show(data);
        this.props.onReady?.({ dimensions: data.dimensions, unit: data.unit });
      }),
    );
  }

  /** deck.gl makes a new layer for each change of props: the one that draws is that of the state. */
  #changed(): void {
    this.getCurrentLayer()?.setNeedsUpdate();
  }

  async #color(data: LayerData): Promise<void> {
    const { colors = "viridis" } = this.props;
    await this.#guard(
      colorScale(colors, this.props).then((scale) => {
        data.scale = scale;
        this.#changed();
      }),
    );
  }

  #show(data: LayerData): void {
    try {
      data.show(viewOf(this.context.viewport));
      this.setNeedsUpdate();
    } catch (error) {
      this.props.onFailure?.(error);
    }
  }

  #tell(data: LayerData): void {
    const { failures } = data;
    for (const failure of failures) if (!this.state.failures.has(failure)) this.props.onFailure?.(failure);
    this.state.failures = new Set(failures);
    this.props.onStep?.(data.step, data.isComplete);
  }

  async #guard(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      this.#changed();
    } catch (error) {
      this.props.onFailure?.(error);
    }
  }
}

function viewOf(viewport: Viewport): Pick<TileView, "bounds" | "resolution"> {
  const [west, south, east, north] = viewport.getBounds();
  const resolution = 1 / (2 ** viewport.zoom * (globalThis.devicePixelRatio ?? 1));
  if (!viewport.isGeospatial) return { bounds: [west, south, east, north], resolution };
  const [[left, bottom], [right, top]] = [
    mercator.projectFlat([west, south]),
    mercator.projectFlat([east, north]),
  ];
  return { bounds: [left, bottom, right, top], resolution };
}
