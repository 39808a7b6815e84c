/** The events of a layer. MapLibre's own `Evented` has other types in its version 5 than in 6. */

/** Errors are events of the map, as those of its sources are. */
export type ZarrLayerEvents = {
  /** The data are open: `dimensions`, `unit` and `scale` are there. */
  ready: { readonly type: "ready" };
  /** A tile of the view has arrived or failed. */
  progress: { readonly type: "progress"; readonly settled: number; readonly total: number };
  /** Another step was drawn. */
  step: { readonly type: "step"; readonly step: Readonly<Record<string, number>> };
};

type Listeners = { readonly [Type in keyof ZarrLayerEvents]: Set<(event: ZarrLayerEvents[Type]) => void> };

export class LayerEvents {
  readonly #listeners: Listeners = { ready: new Set(), progress: new Set(), step: new Set() };

  /** @throws RangeError for an event that layers do not have */
  on<Type extends keyof ZarrLayerEvents>(
    type: Type,
    listener: (event: ZarrLayerEvents[Type]) => void,
  ): { unsubscribe(): void } {
    if (!Object.hasOwn(this.#listeners, type))
      throw new RangeError(
        `event ${type}: expected "ready", "progress" or "step"; errors are events of the map`,
      );
    this.#listeners[type].add(listener);
    return { unsubscribe: () => this.off(type, listener) };
  }

  off<Type extends keyof ZarrLayerEvents>(
    type: Type,
    listener: (event: ZarrLayerEvents[Type]) => void,
  ): void {
    this.#listeners[type].delete(listener);
  }

  protected fire<Type extends keyof ZarrLayerEvents>(type: Type, event: ZarrLayerEvents[Type]): void {
    for (const listener of this.#listeners[type]) listener(event);
  }
}
