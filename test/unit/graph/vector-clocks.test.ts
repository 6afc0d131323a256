/** Clocks that are brought up to date in rounds, against rows made anew from all edges, one node after another. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VectorClocks } from '../../../graph/index.ts';
import { always } from '../../property.ts';

/** Nodes in an order that all edges keep: the chain of each, `chains` for none. */
interface Drawn {
  readonly chains: number;
  /** Chains are so far apart, with empty ones between. */
  readonly spread: number;
  readonly turns: readonly number[];
  readonly rounds: readonly Round[];
}

interface Round {
  /** Edges that are there before it, and edges that are found in it, at the turn of the node that they lead to. */
  readonly early: readonly (readonly [number, number])[];
  readonly late: readonly (readonly [number, number])[];
  /** Which of the nodes that may come next does. */
  readonly picks: readonly number[];
}

const pairs = (): fc.Arbitrary<[number, number][]> => fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12, size: 'max' });
const drawn: fc.Arbitrary<Drawn> = fc
  .integer({ min: 1, max: 7 })
  .chain((chains) =>
    fc.record({
      chains: fc.constant(chains),
      spread: fc.constantFrom(1, 40),
      turns: fc.array(fc.nat({ max: chains }), { minLength: 2, maxLength: 24, size: 'max' }),
      rounds: fc.array(fc.record({ early: pairs(), late: pairs(), picks: fc.array(fc.nat(), { minLength: 1, maxLength: 9 }) }), {
        minLength: 2,
        maxLength: 5,
      }),
    }),
  );

class Columns {
  readonly nodeCount: number;
  readonly chainNodes: number;
  readonly nodeStart: Int32Array;
  readonly nodeSession: Int32Array;
  /** Nodes in the order of the turns. */
  readonly sequence: Int32Array;
  count = 0;
  readonly from: Int32Array = new Int32Array(1000);
  readonly inNext: Int32Array = new Int32Array(1000);
  readonly implied: Uint8Array = new Uint8Array(1000);
  readonly inHead: Int32Array;
  private readonly into: number[][];

  constructor({ chains, spread, turns }: Pick<Drawn, 'chains' | 'spread' | 'turns'>) {
    this.nodeCount = turns.length;
    this.nodeStart = new Int32Array(chains * spread + 1);
    for (const turn of turns) if (turn < chains) this.nodeStart[turn * spread + 1]!++;
    for (let c = 0; c < chains * spread; c++) this.nodeStart[c + 1]! += this.nodeStart[c]!;
    this.chainNodes = this.nodeStart[chains * spread]!;
    this.nodeSession = new Int32Array(this.nodeCount).fill(-1);
    const next = [...this.nodeStart];
    let loose = this.chainNodes;
    this.sequence = Int32Array.from(turns, (turn) => {
      const node = turn < chains ? next[turn * spread]!++ : loose++;
      if (turn < chains) this.nodeSession[node] = turn * spread;
      return node;
    });
    this.inHead = new Int32Array(this.nodeCount).fill(-1);
    this.into = turns.map(() => []);
  }

  add(from: number, to: number): void {
    const e = this.count++;
    [this.from[e], this.inNext[e]] = [from, this.inHead[to]!];
    this.inHead[to] = e;
    this.into[to]!.push(from);
  }

  private before(node: number): number[] {
    const chain = this.nodeSession[node]!;
    const found = this.into[node]!;
    return chain >= 0 && node > this.nodeStart[chain]! ? [node - 1, ...found] : found;
  }

  /** An order that all edges keep. */
  order(picks: readonly number[]): Int32Array {
    const left = [...this.sequence];
    const placed = new Set<number>();
    while (left.length > 0) {
      const ready = left.filter((node) => this.before(node).every((from) => placed.has(from)));
      const node = ready[picks[placed.size % picks.length]! % ready.length]!;
      placed.add(node);
      left.splice(left.indexOf(node), 1);
    }
    return Int32Array.from(placed);
  }

  /** Rows by definition, from all edges. */
  rows(): number[][] {
    const { nodeStart, nodeSession, sequence } = this;
    const rows: number[][] = Array.from({ length: this.nodeCount }, () => Array.from({ length: nodeStart.length - 1 }, () => 0));
    for (const node of sequence) {
      for (const from of this.before(node)) {
        rows[from]!.forEach((entry, c) => (rows[node]![c] = Math.max(rows[node]![c]!, entry)));
        const c = nodeSession[from]!;
        if (c >= 0) rows[node]![c] = Math.max(rows[node]![c]!, from - nodeStart[c]! + 1);
      }
    }
    return rows;
  }

  /** Of two places the nodes, the earlier one first. */
  ends([a, b]: readonly [number, number]): readonly [number, number] | undefined {
    const [one, other] = [a % this.nodeCount, b % this.nodeCount];
    return one === other ? undefined : [this.sequence[Math.min(one, other)]!, this.sequence[Math.max(one, other)]!];
  }
}

function rowOf({ rows, stride }: VectorClocks, node: number, length: number): number[] {
  return [...rows.subarray(node * stride, node * stride + length)];
}

describe('VectorClocks', () => {
  test('after each round hold what the edges before it say, and nothing that edges do not say', () => {
    const reached = {
      'a needless edge': 0.3,
      'a row that did not change': 0.3,
      'chains that share a bit': 0.15,
      'an edge of its round': 0.3,
      'an edge against its round': 0.1,
    };
    always(drawn, { seed: 20, of: 800, least: 200, reached }, (given, reach) => {
      const columns = new Columns(given);
      const clocks = new VectorClocks(columns, columns);
      if (clocks.grownShift > 2) reach('chains that share a bit');
      const chains = columns.nodeStart.length - 1;
      // a last round that adds nothing
      for (const [round, { early, late, picks }] of [...given.rounds, { early: [], late: [], picks: [0] }].entries()) {
        for (const pair of early) columns.add(...(columns.ends(pair) ?? ([columns.sequence[0]!, columns.sequence[1]!] as const)));
        const known = columns.rows();
        const order = columns.order(picks);
        clocks.begin(order);
        const found = late.flatMap((pair) => columns.ends(pair) ?? []);
        for (const node of order) {
          const before = rowOf(clocks, node, chains);
          clocks.update(node);
          const after = rowOf(clocks, node, chains);
          const grew = after.flatMap((entry, c) => (entry === before[c] ? [] : [c]));
          expect(
            grew.filter((c) => ((clocks.grown >>> (c >> clocks.grownShift)) & 1) === 0),
            'grew unsaid',
          ).toEqual([]);
          if (round > 0 && grew.length === 0) expect(clocks.grown).toBe(0);
          if (round > 0 && grew.length === 0) reach('a row that did not change');
          for (let i = 0; i < found.length; i += 2) {
            if (found[i + 1] !== node) continue;
            columns.add(found[i]!, node);
            const inOrder = clocks.placeOf[found[i]!]! < clocks.placeOf[node]!;
            reach(inOrder ? 'an edge of its round' : 'an edge against its round');
            if (inOrder) clocks.join(node, found[i]!);
          }
        }
        const all = columns.rows();
        for (let node = 0; node < columns.nodeCount; node++) {
          const row = rowOf(clocks, node, chains);
          expect(
            row.filter((entry, c) => entry < known[node]![c]! || entry > all[node]![c]!),
            `node ${node}: ${row.join()}`,
          ).toEqual([]);
        }
      }
      if (columns.implied.includes(1)) reach('a needless edge');
    });
  });

  test.each([
    [100, 1],
    [300, 2],
    [66_000, 4],
  ])('chains of %s nodes have entries of %s bytes', (length, bytes) => {
    // chain 0, long; then chain 1 and chain 2, which hear of it one after the other
    const columns = new Columns({ chains: 3, spread: 1, turns: [...Array.from({ length }, () => 0), 1, 2, 1, 2] });
    const [one, two] = [columns.nodeStart[1]!, columns.nodeStart[2]!];
    const clocks = new VectorClocks(columns, columns);
    const round = (): void => {
      clocks.begin(columns.sequence);
      for (const node of columns.sequence) clocks.update(node);
    };
    columns.add(length - 1, one + 1);
    round();
    expect(rowOf(clocks, one + 1, 3)).toEqual([length, 1, 0]);
    columns.add(length - 2, two);
    columns.add(one + 1, two + 1);
    round();
    expect([rowOf(clocks, two, 3), rowOf(clocks, two + 1, 3)]).toEqual([
      [length - 1, 0, 0],
      [length, 2, 1],
    ]);
    expect(clocks.rows.BYTES_PER_ELEMENT).toBe(bytes);
    expect([clocks.knows(two, length - 2), clocks.knows(two, length - 1)]).toEqual([true, false]);
  });
});
