/** Which kinds of statements read the newest rows or lock them, and so say of a plain SELECT behind them that its transaction has. */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { CycleStep } from '../../../../core/verdict/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../history-text.ts';

const WRITER = 't2: w x ,0.0,2.1; commit';

/** The steps rw, wr of t1, which reads x before t2 wrote it and after. `beside`: what each INSERT of t1 has read. */
function stepsOf(t1: string, beside?: string): readonly CycleStep[] {
  const text = `t1: ${t1}; commit\n${WRITER}`;
  const builder = new HistoryBuilder(roundOf());
  const inserts = new Set<number>();
  for (const event of eventsFromText(text)) {
    if (event.e === 'invoke' && event.k === 'insert') inserts.add(event.n);
    builder.add(
      event.e === 'ok' && event.t === 1 && inserts.has(event.n) && beside !== undefined
        ? { ...event, r: ['t', rowIdsOf(text).get('x')!, beside] }
        : event,
    );
  }
  const found = checkGraph(inferDependencies(builder.finish())).anomalies.find(({ shapes }) => shapes.includes('non-repeatable read'));
  return found!.cycle;
}

test('a plain SELECT reads by a snapshot, and nothing of its transaction came before', () => {
  expect(stepsOf('r x ,0.0; r x ,0.0,2.1')).toMatchObject([
    { rel: 'rw', readPoint: 'snapshot' },
    { rel: 'wr', readPoint: 'snapshot' },
  ]);
  expect(stepsOf('r x ,0.0; r x ,0.0,2.1').map(({ afterWrite }) => afterWrite)).toEqual([undefined, undefined]);
});

describe('a read of the newest rows is that of', () => {
  test.each([
    ['SELECT FOR UPDATE', 'ru x ,0.0,2.1'],
    ['SELECT FOR SHARE', 'rs x ,0.0,2.1'],
    ['SELECT FOR NO KEY UPDATE', 'rn x ,0.0,2.1'],
    ['DELETE', 'd1 x ,0.0,2.1'],
    ['the probe before a DELETE', 'p x ,0.0,2.1'],
    ['UPDATE', 'w x ,0.0,2.1,1.1'],
  ])('%s', (_, second) => {
    expect(stepsOf(`r x ,0.0; ${second}`)).toMatchObject([
      { rel: 'rw', readPoint: 'snapshot' },
      { rel: 'wr', readPoint: 'current' },
    ]);
  });

  test('not for certain SELECT FOR KEY SHARE', () => {
    expect(stepsOf('r x ,0.0; rk x ,0.0,2.1').map(({ readPoint }) => readPoint)).toEqual(['snapshot', undefined]);
  });

  test('INSERT ... SELECT', () => {
    expect(stepsOf('r x ,0.0; i z ,1.1', ',0.0,2.1')).toMatchObject([
      { rel: 'rw', readPoint: 'snapshot' },
      { rel: 'wr', readPoint: 'current' },
    ]);
  });
});

describe('a plain SELECT comes after a write or a lock of its transaction behind', () => {
  test.each([
    ['SELECT FOR UPDATE', 'ru z ,0.0'],
    ['SELECT FOR SHARE', 'rs z ,0.0'],
    ['DELETE', 'd1 z ,0.0'],
    ['the probe before a DELETE', 'p z ,0.0'],
    ['UPDATE', 'w z ,0.0,1.1'],
    ['INSERT', 'i z ,1.1'],
  ])('%s', (_, first) => {
    expect(stepsOf(`${first}; r x ,0.0; r x ,0.0,2.1`).map(({ readPoint, afterWrite }) => [readPoint, afterWrite])).toEqual([
      ['snapshot', true],
      ['snapshot', true],
    ]);
  });
});
