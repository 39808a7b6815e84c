/** The page: what fills the window, and the panels over it. */
import { stageFor } from "../picture/choose-stage.js";
import { act, isBusy, progress, readout } from "../session.js";
import { page } from "../state-of-page.js";
import { About } from "./about.js";
import { Attribution, MapPanel } from "./base-map.js";
import { Cards } from "./cards.js";
import { Colours } from "./colours.js";
import { Compare } from "./compare.js";
import { Curtain } from "./curtain.js";
import { Dialogs } from "./dialogs.js";
import { LineStage } from "./line-stage.js";
import { MapStage } from "./map-stage.js";
import { MiniLegend } from "./mini-legend.js";
import { Grabber, sheetState, Tabs } from "./phone-sheet.js";
import { PictureStage } from "./picture-stage.js";
import { PinMarks } from "./pins.js";
import { PlanesStage, VolumeStage } from "./planes-stage.js";
import { PlateSheet } from "./plate.js";
import { PointCard } from "./point-card.js";
import { ProblemPanel } from "./problems.js";
import { RegionCard } from "./region-card.js";
import { RegionLayer } from "./region-layer.js";
import { ScaleBar } from "./scale-bar.js";
import { Opening, Start, Words } from "./start.js";
import { TableStage } from "./table-stage.js";
import { Timeline } from "./timeline.js";
import { SheetTools } from "./tools.js";
import { TopBar } from "./top-bar.js";
import { Variables } from "./variables.js";
import { Wells } from "./wells.js";
import { Zoom } from "./zoom.js";

export function App() {
  const { isEmbedded } = page.value;
  return (
    <>
      <section id="picture" aria-label="Picture" aria-busy={isBusy.value || undefined}>
        <PictureStage />
        <OtherStage />
        <PinMarks />
        <RegionLayer />
        <Curtain />
      </section>
      <Sheet />
      <Progress />
      {isEmbedded ? (
        <>
          <MiniLegend isAlone />
          <Attribution />
          <p id="readout" role="status">
            {readout.value}
          </p>
        </>
      ) : (
        <Panels />
      )}
      <Dialogs />
    </>
  );
}

/** A map, or planes of a volume, in place of a plane. */
function OtherStage() {
  const shown = act.value;
  if (shown.kind !== "picture") return null;
  const form = stageFor(shown.layer, page.value);
  if (form === "plane") return null;
  if (form === "planes") return <PlanesStage key={shown.node.path} layer={shown.layer} />;
  if (form === "volume") return <VolumeStage key={shown.node.path} layer={shown.layer} />;
  return <MapStage key={`${shown.node.path} ${form}`} layer={shown.layer} isGlobe={form === "globe"} />;
}

/** What is shown in place of a picture. */
function Sheet() {
  const shown = act.value;
  switch (shown.kind) {
    case "start":
      return <Start />;
    case "opening":
      return <Opening />;
    case "words":
      return <Words />;
    case "cards":
      return <Cards group={shown.group} />;
    case "plate":
      return <PlateSheet plate={shown.plate} />;
    case "table":
      return <TableStage key={shown.node.path} layer={shown.layer} />;
    case "chart":
      return <LineStage key={shown.node.path} layer={shown.layer} />;
    case "picture":
      return null;
  }
}

function Progress() {
  const counts = progress.value;
  const isKnown = counts !== undefined && counts.value >= 0;
  return (
    <progress
      // A bar that has had a share cannot lose it.
      key={String(isKnown)}
      id="progress"
      aria-label="Tiles on their way"
      hidden={!counts}
      max={counts?.max ?? 1}
      {...(isKnown ? { value: counts.value } : {})}
    />
  );
}

function Panels() {
  const { kind } = act.value;
  const isOpen = kind !== "start" && kind !== "opening";
  const hasColumns = isOpen && kind !== "cards" && kind !== "plate";
  return (
    <div class="ui">
      <TopBar />
      <div class="dock" {...sheetState()} data-edge={hasColumns && isPhone() ? "bottom" : undefined}>
        {hasColumns && <MiniLegend />}
        <Attribution />
        {hasColumns && <Grabber />}
        {hasColumns && (
          <div class="column left" data-edge="left">
            <Variables />
            <Wells />
            <About />
            <MapPanel />
            <Colours />
          </div>
        )}
        {hasColumns && (
          <aside class="column right" aria-label="Values">
            {kind === "picture" || kind === "chart" || kind === "table" ? <ProblemPanel /> : null}
            <SheetTools />
            <Compare />
            <PointCard />
            <RegionCard />
            <Zoom />
            <ScaleBar />
          </aside>
        )}
        {hasColumns && <Timeline />}
        {hasColumns && <Tabs />}
        <div class="bottom-words wide">
          <p id="readout" role="status" aria-live="polite">
            {readout.value}
          </p>
        </div>
      </div>
    </div>
  );
}

const isPhone = (): boolean => matchMedia("(max-width: 760px)").matches;
