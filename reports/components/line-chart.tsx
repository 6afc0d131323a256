/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Draws a line chart as an SVG, with a few series over time or over a handful of values. It has axes, a legend, and a
 * sentence for readers who cannot see it. The colours are the page's variables. A chart in a file of its own brings its
 * own colours.
 */
import type { VNode } from 'preact';

export interface ChartSeries {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** True if the values of y are shares from 0 to 1. */
  readonly shares?: boolean;
  /** True if the values of x stand at equal distances, such as 2, 4, 8 and 16. */
  readonly ordinal?: boolean;
  readonly series: readonly ChartSeries[];
}

const WIDTH = 560;
const HEIGHT = 270;
const LEFT = 56;
const RIGHT = 14;
const TOP = 30;
const BOTTOM = 44;
const INNER = WIDTH - LEFT - RIGHT;
/** The page has this many colours. Dashes distinguish further series. */
const HUES = 6;
const DASHES = [undefined, '6 3', '2 3'];
/** A character of the legend is about this wide. */
const CHARACTER = 6.4;
const LEGEND_LINE = 16;

interface Props {
  readonly chart: Chart;
  /** Sets the colours of a chart in a file of its own. */
  readonly style?: string;
}

export function LineChart({ chart, style }: Props): VNode {
  const { title, series } = chart;
  const scale = scaleOf(chart);
  const legend = legendPlaces(series);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + legend.height}`}
      role="img"
      aria-label={sentence(chart, scale.said)}
    >
      {style !== undefined && <style dangerouslySetInnerHTML={{ __html: style }} />}
      <text x={LEFT} y="16" fill="var(--ink)" font-size="13" font-weight="600">
        {title}
      </text>
      <Axes chart={chart} scale={scale} />
      {series.map(({ points }, i) => (
        <Line points={points.map(([at, value]) => [scale.across(at), scale.up(value)] as const)} i={i} />
      ))}
      {series.map(({ name }, i) => (
        <LegendEntry name={name} i={i} at={legend.places[i]!} />
      ))}
    </svg>
  );
}

interface Scale {
  /** The x axis shows these values. */
  readonly ticks: readonly number[];
  readonly most: number;
  readonly across: (value: number) => number;
  readonly up: (value: number) => number;
  readonly said: (value: number) => string;
}

function scaleOf({ series, shares, ordinal }: Chart): Scale {
  const values = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const most = niceTop(Math.max(shares ? 0.05 : 1, ...series.flatMap(({ points }) => points.map(([, value]) => value))));
  const from = Math.min(0, values[0] ?? 0);
  const to = values.at(-1) ?? 1;
  const share = (value: number): number =>
    ordinal ? values.indexOf(value) / Math.max(1, values.length - 1) : (value - from) / Math.max(1e-9, to - from);
  return {
    ticks: ordinal ? values : linearTicks(from, to),
    most,
    across: (value) => LEFT + (values.length < 2 ? 0.5 : share(value)) * INNER,
    up: (value) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM),
    said: (value) => (shares ? `${Math.round(value * 100)} %` : String(Number(value.toPrecision(3)))),
  };
}

function Axes({ chart: { x, y }, scale: { ticks, most, across, up, said } }: { readonly chart: Chart; readonly scale: Scale }): VNode {
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={fixed(up(part * most))} y2={fixed(up(part * most))} stroke="var(--line)" />
          <text x={LEFT - 6} y={fixed(up(part * most) + 4)} text-anchor="end" fill="var(--soft)" font-size="11">
            {said(part * most)}
          </text>
        </>
      ))}
      {ticks.map((tick) => (
        <text x={fixed(across(tick))} y={HEIGHT - BOTTOM + 16} text-anchor="middle" fill="var(--soft)" font-size="11">
          {String(Number(tick.toPrecision(4)))}
        </text>
      ))}
      <text x={LEFT + INNER / 2} y={HEIGHT - 10} text-anchor="middle" fill="var(--soft)" font-size="11">
        {x}
      </text>
      <text x="12" y={middle} text-anchor="middle" fill="var(--soft)" font-size="11" transform={`rotate(-90 12 ${middle})`}>
        {y}
      </text>
    </>
  );
}

type Place = readonly [x: number, y: number];

function Line({ points, i }: { readonly points: readonly Place[]; readonly i: number }): VNode {
  const path = points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join(' ');
  return (
    <g stroke={colour(i)} fill="none">
      {points.length > 0 && <polyline points={path} stroke-width="2" stroke-dasharray={dash(i)} stroke-linejoin="round" />}
      {points.length <= 30 && points.map(([x, y]) => <circle cx={fixed(x)} cy={fixed(y)} r="2.5" fill={colour(i)} />)}
    </g>
  );
}

function LegendEntry({ name, i, at: [x, y] }: { readonly name: string; readonly i: number; readonly at: Place }): VNode {
  return (
    <>
      <line x1={x} x2={x + 18} y1={y - 4} y2={y - 4} stroke={colour(i)} stroke-width="2" stroke-dasharray={dash(i)} />
      <text x={x + 23} y={y} fill="var(--ink)" font-size="11">
        {name}
      </text>
    </>
  );
}

function legendPlaces(series: readonly ChartSeries[]): { readonly places: readonly Place[]; readonly height: number } {
  const places: Place[] = [];
  let x = LEFT;
  let y = HEIGHT + 6;
  for (const { name } of series) {
    const width = 36 + name.length * CHARACTER;
    if (x > LEFT && x + width > WIDTH) {
      x = LEFT;
      y += LEGEND_LINE;
    }
    places.push([Math.round(x), y]);
    x += width;
  }
  return { places, height: y - HEIGHT + 10 };
}

/** Describes the chart for a screen reader. It gives the first and the last value of each series. */
function sentence({ title, x, y, series }: Chart, said: (value: number) => string): string {
  const each = series.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first === undefined || last === undefined
      ? `${name}: nothing`
      : `${name}: ${said(first[1])} at ${first[0]}, ${said(last[1])} at ${last[0]}`;
  });
  return `${title}: ${y} over ${x}. ${each.join('; ')}`;
}

function colour(i: number): string {
  return `var(--t${i % HUES})`;
}

function dash(i: number): string | undefined {
  return DASHES[Math.floor(i / HUES) % DASHES.length];
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/**
 * Returns the least of 1, 2, 4, 8 or 10 times a power of ten that is not below the value. Its quarters are short
 * numbers.
 */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 8, 10].find((step) => step * power >= value - 1e-12) ?? 10);
}

function linearTicks(from: number, to: number): readonly number[] {
  if (to <= from) return [from];
  const step = niceTop((to - from) / 6);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step + 1e-9) + 1 }, (_, i) => first + i * step);
}
