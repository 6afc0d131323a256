/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Draws the dependency cycle as an SVG. The transactions stand on a circle, clockwise in the order of the cycle. Each
 * edge is a curve that bows outwards, to the left of its direction, so two opposite edges never overlap. The
 * coordinates are computed here, because a graph of a few nodes needs no layout library.
 */
import type { VNode } from 'preact';
import type { CycleStep } from '../../core/verdict/index.ts';
import { clip } from '../text/visible.ts';
import { rowWords } from '../text/row-words.ts';
import { edgeSentence } from '../text/in-users-rows.ts';
import { stepArrow, transactionSentence } from '../text/words.ts';
import type { Drawn } from './drawn.ts';
import type { Lights } from './lights.ts';
import { txnColours } from './timeline.tsx';

const NODE = 27;
/** A cycle with more nodes is not drawn, because the list of edges explains it better. */
const DRAWN_NODES = 16;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnProps {
  readonly finding: Drawn;
  readonly lit: Lights;
}

export function CycleGraph({ finding, lit }: DrawnProps): VNode {
  const { cycle } = finding.anomaly;
  const order = [...new Set(cycle.flatMap((step) => [step.from, step.to]))];
  if (cycle.length === 0) return <p class="quiet">This anomaly is not a cycle, so there is no graph: its explanation is all of it.</p>;
  if (order.length > DRAWN_NODES)
    return <p class="quiet">The cycle has {order.length} transactions and is not drawn; its edges are listed below.</p>;
  const nths = placesAmongAlike(cycle);
  const place = layout(order, 1 + Math.max(0, ...nths));
  const colour = txnColours(finding);
  return (
    <svg
      class="cycle"
      viewBox={`0 0 ${place.width} ${place.height}`}
      role="group"
      aria-label={`Dependency cycle of ${order.map((id) => `T${id}`).join(', ')}`}
    >
      {cycle.map((step, index) =>
        edge(finding, { step, index, nth: nths[index]!, from: place.at(step.from), to: place.at(step.to), nodes: order.length }, lit),
      )}
      {order.map((id) => (
        <Node id={id} finding={finding} lit={lit} at={place.at(id)} colour={colour(id)} />
      ))}
    </svg>
  );
}

interface NodeProps extends DrawnProps {
  readonly id: number;
  readonly at: Point;
  readonly colour: number;
}

function Node({ id, finding, lit, at: { x, y }, colour }: NodeProps): VNode {
  const txn = finding.transactions.find((candidate) => candidate.id === id);
  return (
    <g
      class={`node t${colour}`}
      tabindex={0}
      role="img"
      aria-label={nodeWords(finding, id)}
      data-key={lit.txnKey(id)}
      data-lights={lit.ofTxn(id)}
    >
      <circle cx={x} cy={y} r={NODE} />
      <text x={x} y={y - 1}>
        T{id}
      </text>
      <text class="sub" x={x} y={y + 14}>
        {txn === undefined ? '' : `s${txn.session + 1}`}
      </text>
    </g>
  );
}

function nodeWords({ transactions }: Drawn, id: number): string {
  const txn = transactions.find((candidate) => candidate.id === id);
  return txn === undefined ? (id === 0 ? 'The initial state' : `T${id}`) : transactionSentence(txn);
}

/** Counts for each edge the earlier edges that lead the same way. */
function placesAmongAlike(cycle: readonly CycleStep[]): readonly number[] {
  const counts = new Map<string, number>();
  return cycle.map(({ from, to }) => {
    const nth = counts.get(`${from} ${to}`) ?? 0;
    counts.set(`${from} ${to}`, nth + 1);
    return nth;
  });
}

function layout(
  order: readonly number[],
  /** No two nodes have more edges of one direction between them. */
  alike: number,
): { readonly width: number; readonly height: number; readonly at: (id: number) => Point } {
  const n = order.length;
  const width = 400;
  // Two nodes stand side by side. More nodes stand on a circle with room for a label between neighbours.
  if (n <= 2) {
    // Each further edge bows further out.
    const height = 210 + 80 * Math.max(0, alike - 1);
    return { width, height, at: (id) => ({ x: order.indexOf(id) === 0 ? 70 : 330, y: height / 2 }) };
  }
  const radius = Math.max(110, (n * 96) / (2 * Math.PI));
  const size = 2 * (radius + NODE + 45);
  return {
    width: Math.max(width, size + 40),
    height: size,
    at: (id) => {
      const angle = (order.indexOf(id) / n) * 2 * Math.PI - Math.PI / 2;
      return { x: round(Math.max(width, size + 40) / 2 + radius * Math.cos(angle)), y: round(size / 2 + radius * Math.sin(angle)) };
    },
  };
}

interface Curve {
  readonly step: CycleStep;
  readonly index: number;
  /** Counts the earlier edges that lead the same way. */
  readonly nth: number;
  readonly from: Point;
  readonly to: Point;
  readonly nodes: number;
}

function edge(finding: Drawn, { step, index, nth, from, to, nodes }: Curve, lit: Lights): VNode {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bow = length * ((nodes <= 2 ? 0.42 : 0.22) + 0.22 * nth);
  const control = { x: (from.x + to.x) / 2 + (dy / length) * bow, y: (from.y + to.y) / 2 - (dx / length) * bow };
  const start = towards(from, control, NODE + 3);
  const tip = towards(to, control, NODE + 4);
  const base = towards(to, control, NODE + 15);
  const side = { x: ((tip.y - base.y) / 11) * 5.5, y: ((base.x - tip.x) / 11) * 5.5 };
  const middle = { x: round(start.x / 4 + control.x / 2 + base.x / 4), y: round(start.y / 4 + control.y / 2 + base.y / 4) };
  const path = `M${round(start.x)} ${round(start.y)}Q${round(control.x)} ${round(control.y)} ${round(base.x)} ${round(base.y)}`;
  const head = `${round(tip.x)},${round(tip.y)} ${round(base.x + side.x)},${round(base.y + side.y)} ${round(base.x - side.x)},${round(base.y - side.y)}`;
  const label = `${index + 1} ${step.rel}`;
  const wide = label.length * 8.4 + 14;
  // There is room for the row's name between two nodes. On a circle the list of edges names the row.
  const row = nodes <= 2 && step.row !== undefined ? clip(rowWords(finding).name(step.table, step.row), 30) : null;
  const rowY = middle.y < from.y ? middle.y - 18 : middle.y + 26;
  return (
    <g
      class={`edge ${step.rel}`}
      tabindex={0}
      role="img"
      aria-label={`Edge ${index + 1}: ${stepArrow(step)}. ${edgeSentence(finding, step)}`}
      data-edge={index}
      data-key={lit.edgeKey(index)}
      data-lights={lit.ofEdge(index)}
    >
      <path class="reach" d={path} />
      <path class="line" d={path} />
      <polygon points={head} />
      <rect x={round(middle.x - wide / 2)} y={round(middle.y - 12)} width={round(wide)} height="24" rx="12" data-term={step.rel} />
      <text x={middle.x} y={middle.y + 4} data-term={step.rel}>
        {label}
      </text>
      {row !== null && (
        <text class="sub" x={middle.x} y={rowY}>
          {row}
        </text>
      )}
    </g>
  );
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
