/** @jsxRuntime automatic @jsxImportSource preact */
/** Writes a line chart as an SVG file that holds its own light and dark colours. */
import { LineChart, type Chart } from '../components/line-chart.tsx';
import { markup } from './render.ts';

const OWN_COLOURS = `svg{--ink:#1b2230;--soft:#5c667a;--line:#dde1e9;--card:#fff;--t0:#2563c9;--t1:#b4530a;--t2:#0f7a63;--t3:#8a3fb5;--t4:#a3315f;--t5:#5c6b12;background:var(--card);font:12px system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{--ink:#e4e8f0;--soft:#98a3b7;--line:#2d3645;--card:#191f29;--t0:#7aa8ff;--t1:#f0a264;--t2:#5fcfb4;--t3:#cf9af0;--t4:#f28db4;--t5:#bccc63}}`;

export function chartFile(chart: Chart): string {
  return `${markup(() => <LineChart chart={chart} style={OWN_COLOURS} />)}\n`;
}
