// The text of a replayed folder: short cells, and below the table what they leave out.
import { describe, expect, it } from 'vitest';
import type { Control } from '../../../core/verdict/index.ts';
import { replayedText } from '../../../src/app/commands/replayed-text.ts';

const cell = (control: Partial<Control>): Control => ({
  target: 'postgres@18',
  server: 'PostgreSQL',
  level: 'serializable',
  rate: { tries: 2, seen: 0 },
  outcome: 'not seen',
  code: 'not seen',
  own: true,
  ...control,
});
const textOf = (...cells: readonly Control[]): string => replayedText([{ path: 'a.spec', name: 'a.spec', cells }]).replaceAll(/\s+/g, ' ');

describe('the text of what was replayed', () => {
  it.each([
    ['lost', 'lost: session s1 was lost in step c1'],
    ['unusable', 'unusable: step c1 fails'],
    ['not judged', 'not judged: no serial order explains it'],
  ] as const)('tells a cell that is %s below the table', (code, outcome) => {
    const text = textOf(cell({ code, outcome }));
    expect(text).toContain(`case serializable a.spec ${code} a.spec at serializable: ${outcome}`);
  });

  it('tells a .spec that occurs with its class, or why none is named, and what each order answers otherwise', () => {
    const occurs = cell({
      code: 'occurs',
      outcome: 'occurs',
      rate: { tries: 2, seen: 2 },
      judgement: { verdict: 'bug' },
      evidence: {
        permutation: ['r1', 'w2'],
        orders: ['s1 before s2: 1.', 's2 before s1: 2.'],
        named: { class: 'G2-item', shapes: ['write skew'], explanation: 'T1 and T2.' },
      },
    });
    expect(textOf(occurs)).toContain('occurs 2/2 bug a.spec at serializable: bug, write skew (G2-item)');
    expect(textOf(occurs)).toContain(
      'in this order: r1, w2. No serial order of the transactions answers so. s1 before s2: 1. s2 before s1: 2. T1 and T2.',
    );
    const { named: _, ...unnamed } = occurs.evidence!;
    const orders = Array.from({ length: 9 }, (_each, i) => `order ${i}.`);
    const text = textOf({ ...occurs, evidence: { ...unnamed, orders, unnamed: 'the grammar refuses it' } });
    expect(text).toContain('bug, of no named class');
    expect(text).toContain('order 5. 3 more serial orders differ too. No class is named: the grammar refuses it.');
    expect(text).not.toContain('order 6.');
  });

  it('names the target where there are several', () => {
    expect(textOf(cell({ code: 'lost', outcome: 'lost: x' }), cell({ target: 'mysql@9.7' }))).toContain(
      'a.spec on postgres@18 at serializable: lost: x',
    );
  });
});
