/** @jsxRuntime automatic @jsxImportSource preact */
/** A dependency graph as the text of an SVG. */
import { CycleGraph } from '../components/cycle-graph.tsx';
import type { Drawn } from '../components/drawn.ts';
import { lights } from '../components/lights.ts';
import { markup } from './render.ts';

/** Of the edges in its cycle, whether they are one or not; a sentence instead where there is none, or too many. */
export function drawing(drawn: Drawn): string {
  return markup(() => <CycleGraph finding={drawn} lit={lights(drawn)} />);
}
