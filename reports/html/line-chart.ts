/**
 * A line chart as an SVG: a few series over time or over a handful of values, with its axes, its legend and, for those who
 * cannot see it, a sentence. Colours are the page's variables; a chart that stands alone brings its own.
 */
import { html, trusted, type Markup } from './markup.ts';

export interface ChartSeries {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** The values of y are shares from 0 to 1. */
  readonly shares?: boolean;
  /** The values of x stand side by side, each as far from the next: 2, 4, 8, 16. */
  readonly ordinal?: boolean;
  readonly series: readonly ChartSeries[];
}

const WIDTH = 560;
const HEIGHT = 270;
const LEFT = 56;
const RIGHT = 14;
const TOP = 30;
const BOTTOM = 44;
/** Of the page's colours; a dash tells further series apart. */
const HUES = 6;
const DASHES = ['', '6 3', '2 3'];
/** Of a character of the legend, about. */
const CHARACTER = 6.4;
const LEGEND_LINE = 16;

const OWN_COLOURS = `<style>svg{--ink:#1b2230;--soft:#5c667a;--line:#dde1e9;--card:#fff;--t0:#2563c9;--t1:#b4530a;--t2:#0f7a63;--t3:#8a3fb5;--t4:#a3315f;--t5:#5c6b12;background:var(--card);font:12px system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{--ink:#e4e8f0;--soft:#98a3b7;--line:#2d3645;--card:#191f29;--t0:#7aa8ff;--t1:#f0a264;--t2:#5fcfb4;--t3:#cf9af0;--t4:#f28db4;--t5:#bccc63}}</style>`;

export function lineChart(chart: Chart): Markup {
  return drawn(chart, '');
}

/** The text of an SVG file. */
export function chartFile(chart: Chart): string {
  return `${drawn(chart, OWN_COLOURS).markup}\n`;
}

function drawn(chart: Chart, style: string): Markup {
  const { title, x, y, series } = chart;
  const values = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const most = niceTop(Math.max(chart.shares ? 0.05 : 1, ...series.flatMap(({ points }) => points.map(([, value]) => value))));
  const from = Math.min(0, values[0] ?? 0);
  const to = values.at(-1) ?? 1;
  const inner = WIDTH - LEFT - RIGHT;
  const share = (value: number): number =>
    chart.ordinal ? values.indexOf(value) / Math.max(1, values.length - 1) : (value - from) / Math.max(1e-9, to - from);
  const across = (value: number): number => LEFT + (values.length < 2 ? 0.5 : share(value)) * inner;
  const up = (value: number): number => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  const said = (value: number): string => (chart.shares ? `${Math.round(value * 100)} %` : String(Number(value.toPrecision(3))));
  const legend = legendPlaces(series);
  const height = HEIGHT + legend.height;
  const ticks = chart.ordinal ? values : linearTicks(from, to);
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${sentence(chart, said)}">${trusted(style)}
<text x="${LEFT}" y="16" fill="var(--ink)" font-size="13" font-weight="600">${title}</text>
${[0, 0.25, 0.5, 0.75, 1].map((part) => html`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(up(part * most))}" y2="${fixed(up(part * most))}" stroke="var(--line)"/><text x="${LEFT - 6}" y="${fixed(up(part * most) + 4)}" text-anchor="end" fill="var(--soft)" font-size="11">${said(part * most)}</text>`)}
${ticks.map((tick) => html`<text x="${fixed(across(tick))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle" fill="var(--soft)" font-size="11">${String(Number(tick.toPrecision(4)))}</text>`)}
<text x="${LEFT + inner / 2}" y="${HEIGHT - 10}" text-anchor="middle" fill="var(--soft)" font-size="11">${x}</text>
<text x="12" y="${(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" fill="var(--soft)" font-size="11" transform="rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})">${y}</text>
${series.map(({ points }, i) =>
  line(
    points.map(([at, value]) => [across(at), up(value)] as const),
    i,
  ),
)}
${series.map(({ name }, i) => legendEntry(name, i, legend.places[i]!))}
</svg>`;
}

type Place = readonly [x: number, y: number];

function line(points: readonly Place[], i: number): Markup {
  const path = points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join(' ');
  return html`<g stroke="${colour(i)}" fill="none"><polyline points="${path}" stroke-width="2" stroke-dasharray="${dash(i)}" stroke-linejoin="round"/>${points.length > 30 ? null : points.map(([x, y]) => html`<circle cx="${fixed(x)}" cy="${fixed(y)}" r="2.5" fill="${colour(i)}"/>`)}</g>`;
}

function legendEntry(name: string, i: number, [x, y]: Place): Markup {
  return html`<line x1="${x}" x2="${x + 18}" y1="${y - 4}" y2="${y - 4}" stroke="${colour(i)}" stroke-width="2" stroke-dasharray="${dash(i)}"/><text x="${x + 23}" y="${y}" fill="var(--ink)" font-size="11">${name}</text>`;
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

/** What the picture shows, for a screen reader: each series from its first value to its last. */
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

function dash(i: number): string {
  return DASHES[Math.floor(i / HUES) % DASHES.length]!;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/** The least that is not below and whose quarters are short: 1, 2, 4 or 8 times a power of ten. */
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
