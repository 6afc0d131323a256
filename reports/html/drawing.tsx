/** @jsxRuntime automatic @jsxImportSource preact */
/** Draws a dependency graph as the text of an SVG. */
import { CycleGraph } from '../components/cycle-graph.tsx';
import type { Drawn } from '../components/drawn.ts';
import { lights } from '../components/lights.ts';
import { markup } from './render.ts';

/**
 * Draws the edges of `cycle`, whether they form a cycle or not. If there are none or too many, it returns a sentence
 * instead.
 */
export function drawing(drawn: Drawn): string {
  return markup(() => <CycleGraph finding={drawn} lit={lights(drawn)} />);
}
