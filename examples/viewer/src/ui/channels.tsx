/** The channels of an image: which are seen, between which values, and how strongly. */
import type { Channel } from "../data/layers.js";
import { plain } from "../data/numbers.js";
import { seen } from "../session.js";
import { page, remember } from "../state-of-page.js";

export const Channels = ({ channels }: { readonly channels: readonly Channel[] }) => (
  <>
    {channels.map((channel, c) => (
      <ChannelFields key={channel.name} channel={channel} index={c} />
    ))}
  </>
);

function ChannelFields({ channel, index }: { readonly channel: Channel; readonly index: number }) {
  const { name, colour, isVisible, opacity, range } = channel;
  const [low, high] = seen.value.ranges.get(index) ?? range ?? [0, 1];
  const change = (changed: Partial<Channel>): void => {
    const next = { isVisible, opacity, range, ...changed };
    remember({ channels: new Map(page.peek().channels).set(index, next) });
  };
  const end = (which: 0 | 1) => (
    <input
      type="number"
      step="any"
      aria-label={`${which === 0 ? "First" : "Last"} value of ${name}`}
      value={plain(which === 0 ? low : high)}
      onChange={({ currentTarget: { valueAsNumber } }) => {
        if (Number.isFinite(valueAsNumber))
          change({ range: which === 0 ? [valueAsNumber, high] : [low, valueAsNumber] });
      }}
    />
  );
  return (
    <fieldset class="channel">
      <legend>
        <label for={`channel-${index}`}>
          <input
            id={`channel-${index}`}
            type="checkbox"
            checked={isVisible}
            onChange={(event) => change({ isVisible: event.currentTarget.checked })}
          />
          <span
            class="swatch"
            style={{ background: `rgb(${colour.map((part) => Math.round(part * 255)).join()})` }}
          />
          {name}
        </label>
      </legend>
      {isVisible && (
        <>
          <div class="row">
            {end(0)}
            {end(1)}
            <button
              type="button"
              class="button small lined"
              aria-label={`Auto: contrast of ${name} as its values are`}
              onClick={() => change({ range: undefined })}
            >
              Auto
            </button>
          </div>
          <Opacity name={name} opacity={opacity} onOpacity={(value) => change({ opacity: value })} />
        </>
      )}
    </fieldset>
  );
}

interface OpacityProps {
  readonly name: string;
  readonly opacity: number;
  readonly onOpacity: (opacity: number) => void;
}

export const Opacity = ({ name, opacity, onOpacity }: OpacityProps) => (
  <div class="row">
    <span class="meta">Opacity</span>
    <input
      type="range"
      class="grow"
      min={0}
      max={1}
      step={0.05}
      value={opacity}
      aria-label={`Opacity of ${name}`}
      onInput={(event) => onOpacity(event.currentTarget.valueAsNumber)}
    />
  </div>
);
