/** A dependency graph as an SVG that lies in a page of ours. */
import { cycleGraph } from './cycle-graph.ts';
import type { Drawn } from './drawn.ts';
import { lights } from './lights.ts';

/** Of the edges in its cycle, whether they are one or not; empty where there is none. */
export function drawing(drawn: Drawn): string {
  return drawn.anomaly.cycle.length === 0 ? '' : cycleGraph(drawn, lights(drawn)).markup;
}
