// A cell of the matrix says nothing of a run that was lost or failed for a reason that is no matter of isolation.
import { describe, expect, it } from 'vitest';
import type { ErrorClass } from '../../../../../core/dialect/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import type { TranscriptLine } from '../../../../../reports/index.ts';
import { CANONICAL } from '../../../../../schema-gen/index.ts';
import { assessHistory } from '../../../../../src/judge/assess/graph.ts';
import { matrixCell, unrunCell } from '../../../../../src/reproduce/matrix/cell.ts';
import type { PlayedSchedule } from '../../../../../src/reproduce/matrix/cell.ts';
import { historyFromText } from '../../../history-text.ts';

const SCHEDULE = CANONICAL.find(({ name }) => name === 'G2-item')!;
const line = (errorClass: ErrorClass): TranscriptLine => ({
  session: 1,
  txn: 1,
  sql: 'COMMIT',
  state: 'done',
  waitsFor: [],
  rows: null,
  result: null,
  error: { class: errorClass, code: 'X', message: 'the words' },
  level: null,
  rolledBack: false,
});
const played = (more: Partial<PlayedSchedule> = {}): PlayedSchedule => ({
  schedule: SCHEDULE,
  level: postgres.levels.find(({ level }) => level === 'serializable')!,
  dialect: postgres,
  configuration: {},
  judged: assessHistory(historyFromText('t1[0-90]: r y ,0.0; w x ,0.0,1.1; commit\nt2[100-190]: r x ,0.0,1.1; w y ,0.0,2.1; commit')),
  outcomes: new Map([
    [1, 'committed'],
    [2, 'committed'],
  ]),
  transcript: [],
  ...more,
});

describe('a cell', () => {
  it('of a run that was cut short is a loss and not known, whatever is promised', () => {
    expect(matrixCell(played({ cutShort: 'session 1 was lost' }))).toMatchObject({
      observed: 'unknown',
      why: 'the schedule did not come to its end: session 1 was lost',
      verdict: 'open',
      lost: true,
    });
    const readCommitted = postgres.levels.find(({ level }) => level === 'read-committed')!;
    expect(matrixCell(played({ level: readCommitted, cutShort: 'session 1 was lost' }))).toMatchObject({ verdict: 'agrees', lost: true });
    expect(matrixCell(played())).not.toHaveProperty('lost');
  });

  it.each<ErrorClass>(['deadlock', 'serialization', 'lock timeout', 'aborted transaction'])(
    'says that an error of class %s prevented it',
    (errorClass) => {
      expect(matrixCell(played({ transcript: [line(errorClass)] }))).toMatchObject({ observed: 'error', code: 'X', verdict: 'agrees' });
    },
  );

  it.each<ErrorClass>(['syntax', 'permission', 'constraint', 'data', 'statement timeout', 'other'])(
    'does not know it behind an error of class %s',
    (errorClass) => {
      expect(matrixCell(played({ transcript: [line(errorClass)] }))).toMatchObject({ observed: 'unknown', verdict: 'open' });
    },
  );

  it('does not know it where an outcome is unknown', () => {
    expect(matrixCell(played({ outcomes: new Map([[1, 'unknown']]) }))).toMatchObject({ observed: 'unknown', verdict: 'open' });
  });

  it('that was not run has the promise of one that was, and is not known', () => {
    const run = matrixCell(played());
    const unrun = unrunCell(played(), 'the server is gone');
    const { promised, says, source, date, version } = run;
    expect(unrun).toMatchObject({ promised, says, source, date, version, level: 'serializable' });
    expect(unrun).toMatchObject({ observed: 'unknown', why: 'the server is gone', verdict: 'open', transcript: [], notRun: true });
    const readCommitted = postgres.levels.find(({ level }) => level === 'read-committed')!;
    expect(unrunCell(played({ level: readCommitted }), '').verdict).toBe('agrees');
  });
});
