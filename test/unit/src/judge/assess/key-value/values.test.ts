// What the values of a key-value round prove: planted anomalies get their class and shape, simulated correct executions none.
import { describe, expect, it } from 'vitest';
import { checkAwditLevels, judge, withIds } from '../../../../../../check/index.ts';
import { DIALECTS } from '../../../../../../dialects/index.ts';
import { createRandom, generateKeyValue } from '../../../../../../schema-gen/index.ts';
import { LEVELS } from '../../../../../../core/level/index.ts';
import type { Level } from '../../../../../../core/level/index.ts';
import { assessRound } from '../../../../../../src/judge/assess/round.ts';
import { anomalyOf } from '../../../../../../src/judge/assess/key-value/anomaly.ts';
import { kvHistoryOf, observeKeyValues } from '../../../../../../src/judge/assess/key-value/history.ts';
import { assessKeyValue, assessLists } from '../../../../../../src/judge/assess/key-value/index.ts';
import { coverageOf, testedNothing } from '../../../../../../src/execute/index.ts';
import { played, simulate } from './simulate.ts';
import type { Isolation, Played } from './simulate.ts';

function judged(txns: readonly Played[], options: Parameters<typeof played>[1] = {}): ReturnType<typeof assessKeyValue>['verdict'] {
  const { verdict } = assessKeyValue(played(txns, options));
  expect(verdict.defects).toEqual([]);
  return verdict;
}

const names = ({ anomalies }: { anomalies: readonly { class: string; shapes: readonly string[] }[] }): string[] =>
  anomalies.map(({ class: name, shapes }) => [name, ...shapes].join(' ')).sort();
const answer = (verdict: ReturnType<typeof judged>, level: Level): unknown => verdict.levels.find((each) => each.level === level)?.answer;

describe('a key-value round is judged by its values', () => {
  it('two that read one value and both wrote over it have lost an update', () => {
    const verdict = judged([{ ops: 'r1=0 w1=11' }, { ops: 'r1=0 w1=12' }]);
    expect(names(verdict)).toEqual(['G-single-item lost update']);
    const [lost] = verdict.anomalies;
    expect(lost!.cycle.map(({ rel, from, to }) => `${from} ${rel} ${to}`).sort()).toEqual(['1 ww 2', '2 rw 1']);
    expect(lost!.explanation).toMatch(/whichever is second/);
    expect(lost!.cycle.find(({ rel }) => rel === 'ww')!.explanation).toMatch(/assumed/);
    expect(answer(verdict, 'snapshot-isolation')).toBe(false);
    expect(answer(verdict, 'cc')).toBe(true);
    expect(answer(verdict, 'read-committed')).toBe(true);
  });

  it('the same in the other order of commits is the same finding', () => {
    const one = judged([{ ops: 'r1=0 w1=11' }, { ops: 'r1=0 w1=12' }]);
    const other = judged([{ ops: 'r3=0 w3=12' }, { ops: 'r4=0' }, { ops: 'r3=0 w3=11' }]);
    expect(other.anomalies.map(({ fingerprint }) => fingerprint)).toEqual(one.anomalies.map(({ fingerprint }) => fingerprint));
  });

  it('two that each read what the other wrote over are a write skew, which snapshot isolation allows', () => {
    const verdict = judged([{ ops: 'r1=0 r2=0 w1=11' }, { ops: 'r1=0 r2=0 w2=12' }]);
    expect(names(verdict)).toEqual(['G2-item write skew']);
    expect(answer(verdict, 'snapshot-isolation')).toBe(true);
    expect(answer(verdict, 'serializable')).toBe(false);
    expect(verdict.anomalies[0]!.statements).toHaveLength(4);
  });

  it('a value of a transaction that aborted is a dirty read, whoever else is fine', () => {
    const verdict = judged([{ ops: 'r1=0 w1=11', outcome: 'aborted' }, { ops: 'r1=11' }]);
    expect(names(verdict)).toEqual(['G1a dirty read']);
    expect(answer(verdict, 'read-committed')).toBe(false);
    expect(verdict.anomalies[0]!.transactions).toEqual([2, 1]);
  });

  it('a value of a statement that failed is a dirty read too, not one from nowhere', () => {
    expect(names(judged([{ ops: 'r1=0 x1=11 r2=0' }, { ops: 'r1=11' }]))).toEqual(['G1a dirty read']);
    expect(names(judged([{ ops: 'r1=0 r2=0' }, { ops: 'r1=11' }]))).toEqual(['thin-air']);
  });

  it('a value that its own transaction replaced is an intermediate read', () => {
    expect(names(judged([{ ops: 'r1=0 w1=11 w1=12' }, { ops: 'r1=11' }]))).toEqual(['G1b intermediate read']);
  });

  it('two readers that see two writes in opposite orders are a long fork', () => {
    const verdict = judged([{ ops: 'r1=0 w1=11' }, { ops: 'r2=0 w2=12' }, { ops: 'r1=11 r2=0' }, { ops: 'r1=0 r2=12' }]);
    expect(names(verdict)).toEqual(['G-nonadjacent-item long fork']);
    expect(answer(verdict, 'snapshot-isolation')).toBe(false);
    expect(answer(verdict, 'cc')).toBe(true);
  });

  it('one half of a transaction seen is a read skew', () => {
    const verdict = judged([{ ops: 'r1=0 r2=0 w1=11 w2=12' }, { ops: 'r1=11 r2=0' }]);
    expect(names(verdict)).toEqual(['G-single-item read skew fractured read observed transaction vanishes']);
    expect(answer(verdict, 'ra')).toBe(false);
  });

  it('a write of unknown outcome that was read has been made, one that was not read proves nothing', () => {
    expect(names(judged([{ ops: 'r1=0 w1=11', outcome: 'unknown' }, { ops: 'r1=0 w1=12' }]))).toEqual([]);
    expect(names(judged([{ ops: 'r1=0 w1=11', outcome: 'unknown' }, { ops: 'r1=0 w1=12' }, { ops: 'r1=11' }]))).toContain(
      'G-single-item lost update',
    );
  });

  it('what follows a lost COMMIT in its session need not come after it', () => {
    // reconnected, the session reads before the server has ended the commit; another session reads it afterwards
    const verdict = judged(
      [
        { session: 0, ops: 'r1=0 w1=11', outcome: 'unknown' },
        { session: 0, ops: 'r1=0' },
        { session: 1, ops: 'r1=11' },
      ],
      { inTurn: true },
    );
    expect(names(verdict)).toEqual([]);
    expect(verdict.levels.every((each) => each.answer === true)).toBe(true);
  });

  it('what only a checker proves names the transactions by their ids, whatever their numbers there', () => {
    const blind = [
      { session: 1, ops: 'w1=11 w2=21' },
      { session: 2, ops: 'w1=12 w2=22' },
      { session: 1, ops: 'r1=11 r2=22' },
    ];
    const verdict = judged([{ session: 0, ops: 'r3=0', outcome: 'unknown' }, { session: 0, ops: 'r3=0' }, ...blind], { inTurn: true });
    expect(verdict.anomalies.length).toBeGreaterThan(0);
    for (const { transactions, cycle } of verdict.anomalies) {
      for (const id of [...transactions, ...cycle.flatMap(({ from, to }) => [from, to])]) expect([3, 4, 5]).toContain(id);
    }
  });

  it('a fractured read of the initial state rests on no session', () => {
    const observed = observeKeyValues(played([{ ops: 'w1=11 w2=21' }, { ops: 'r1=0 r2=21' }]));
    const kv = kvHistoryOf(observed);
    const [found] = withIds(checkAwditLevels(kv, ['ra'])[0]!, kv).anomalies;
    expect(found!.cycle.map(({ from, rel }) => `${from} ${rel}`)).toEqual(['0 so', '1 ww']);
    expect(anomalyOf(found!, observed).class).toBe('G-single-item');
  });

  const atRepeatableRead = (verdict: ReturnType<typeof judged>): Record<string, string[]> =>
    Object.fromEntries(
      ['mysql', 'mariadb', 'tidb'].map((name) => {
        const { promises } = DIALECTS.find((dialect) => dialect.name === name)!;
        return [
          name,
          verdict.anomalies.map((anomaly) => judge(anomaly, 'repeatable-read', { innodb_snapshot_isolation: 'OFF' }, promises).verdict),
        ];
      }),
    );
  const all = (...verdicts: string[]): Record<string, string[]> => ({ mysql: verdicts, mariadb: verdicts, tidb: verdicts });

  it('half of a blind writer seen by a snapshot is a cycle, and ruled out as if the writer had read', () => {
    for (const writer of ['w1=11 w2=12', 'r1=0 r2=0 w1=11 w2=12']) {
      const verdict = judged([{ ops: writer }, { ops: 'r1=0 r2=12' }]);
      expect(
        verdict.anomalies.map(({ class: name, cycle }) => [name, ...cycle.map(({ rel, readPoint }) => `${rel} ${readPoint}`).sort()]),
      ).toEqual([['G-single-item', 'rw snapshot', 'wr snapshot']]);
      expect(atRepeatableRead(verdict)).toEqual(all('bug'));
    }
  });

  it('a reader that writes the object orders nobody by having read its initial value', () => {
    // 11 may come first, and 12 follow from the initial value all the same: that is for those who read to say
    expect(names(judged([{ ops: 'r1=0 w1=11' }, { ops: 'w1=12' }]))).toEqual([]);
  });

  it('what a checker proves from what one snapshot shows of two writers is ruled out, what it may have read otherwise is not', () => {
    const writers = [{ ops: 'w1=11 w2=21' }, { ops: 'w1=12 w2=22' }] as const;
    const plain = judged([...writers, { ops: 'r1=11 r2=22' }]);
    expect(plain.anomalies.map(({ cycle }) => cycle.map(({ rel, inferred, readPoint }) => `${rel} ${inferred} ${readPoint}`))).toEqual([
      ['ww true snapshot', 'ww true snapshot'],
    ]);
    expect(atRepeatableRead(plain)).toEqual(all('bug'));
    const late = judged([...writers, { ops: 'w3=31 r1=11 r2=22' }]);
    expect(late.anomalies.map(({ cycle }) => cycle.map(({ rel, inferred, readPoint }) => `${rel} ${inferred} ${readPoint}`))).toEqual([
      ['ww true undefined', 'ww true undefined'],
    ]);
    expect(atRepeatableRead(late)).toEqual(all('documented'));
  });

  it('what snapshots alone show is kept beside a lost update of the same writers', () => {
    const verdict = judged([{ ops: 'r3=0 w3=31 w1=11 w2=21' }, { ops: 'r3=0 w3=32 w1=12 w2=22' }, { ops: 'r1=11 r2=22' }]);
    expect(atRepeatableRead(verdict)['mysql']!.sort()).toEqual(['bug', 'documented']);
  });

  it('a cycle whose orders a search inferred is no lost update where only serializability rules it out', () => {
    const observed = observeKeyValues(played([{ ops: 'r1=0 w1=11' }, { ops: 'w1=12' }]));
    const on = { key: '1', inferred: true, operations: [], explanation: 'by the others' } as const;
    const cycle = [
      { from: 2, to: 1, rel: 'ww', ...on },
      { from: 1, to: 2, rel: 'rw', ...on },
    ] as const;
    const found = { name: 'LostUpdate', cycle, transactions: [2, 1], operations: [], explanation: '' } as const;
    const guessed = anomalyOf({ ...found, levels: ['serializable', 'strict-serializable'] }, observed);
    expect([guessed.class, guessed.shapes, guessed.levels.includes('snapshot-isolation')]).toEqual(['G2-item', [], false]);
    const proven = anomalyOf({ ...found, levels: ['snapshot-isolation', 'serializable', 'strict-serializable'] }, observed);
    expect([proven.class, proven.shapes, proven.levels.includes('snapshot-isolation')]).toEqual([
      'G-nonadjacent-item',
      ['lost update'],
      true,
    ]);
  });

  it('a session that reads behind what it wrote is no plain anomaly', () => {
    const verdict = judged(
      [
        { session: 0, ops: 'r1=0 w1=11' },
        { session: 0, ops: 'r1=0' },
      ],
      { inTurn: true },
    );
    expect(names(verdict)).toEqual(['G-single-item-session read your writes']);
    expect(answer(verdict, 'serializable')).toBe(true);
    expect(answer(verdict, 'strict-serializable')).toBe(false);
  });

  it('blind writes in an order that no reader can have seen are found by the search alone', () => {
    // whatever the order of 11 and 12, one of the readers that saw both of them saw it backwards
    const verdict = judged([{ ops: 'w1=11 w2=21' }, { ops: 'w1=12 w2=22' }, { ops: 'r1=11 r2=22' }], { inTurn: false });
    expect(answer(verdict, 'serializable')).toBe(false);
    expect(verdict.anomalies.length).toBeGreaterThan(0);
    expect(verdict.anomalies.every(({ levels }) => levels.includes('serializable'))).toBe(true);
  });

  it('where only the closing read committed there was nothing to judge', () => {
    const verdict = judged(
      [
        { ops: 'r1=0 w1=11', outcome: 'aborted' },
        { ops: 'r1=0 w1=12', outcome: 'aborted' },
      ],
      { closing: '1=0 2=0' },
    );
    expect(verdict.levels.map(({ answer: each }) => each)).toEqual(LEVELS.map(() => 'unknown'));
    for (const { reason } of verdict.levels) expect(reason).toMatch(/^nothing to judge/);
    const bad = judged([{ ops: 'r1=0 w1=11', outcome: 'aborted' }], { closing: '1=11' });
    expect(names(bad)).toEqual(['G1a dirty read']);
    expect(answer(bad, 'read-committed')).toBe(false);
  });

  it('conflicts of overlapping transactions are counted, so that a clean round is no empty one', () => {
    const history = played([{ ops: 'r1=0 w1=11' }, { ops: 'r1=0' }]);
    expect(testedNothing(coverageOf(history))).toBe(true);
    const { observed } = assessKeyValue(history);
    expect(coverageOf(observed!).conflicts).toEqual({ 'update-select wr': 1 });
  });
});

describe('what nobody can have written', () => {
  const before = [{ ops: 'r1=0 w1=11' }, { ops: 'r1=11' }] as const;

  it.each([
    ['an object that a query no longer finds', [...before, { ops: 'r1' }], {}],
    ['an object that an update no longer finds', [...before, { ops: 'n1=12' }], {}],
    ['an object that the closing read does not show', before, { closing: '2=0' }],
    ['an object that its own transaction has seen', [{ ops: 'r1=0 r1' }, { ops: 'r2=0 w2=11' }, { ops: 'r2=11' }], {}],
    ['a value that is none', [...before, { ops: 'r1=,0.0' }], {}],
  ] as const)('is %s', (_, txns, options) => {
    const verdict = judged(txns, { inTurn: true, ...options });
    expect(names(verdict)).toEqual(['thin-air']);
    expect(verdict.anomalies[0]!.explanation).toMatch(/no statement of the round can have left/);
    expect(verdict.levels.every((each) => each.answer === false)).toBe(true);
    for (const promises of DIALECTS.map((dialect) => dialect.promises))
      expect(judge(verdict.anomalies[0]!, 'serializable', {}, promises).verdict).not.toBe('documented');
  });

  it.each([
    ['a round that was cut short', [...before, { ops: 'r1' }], { complete: false }],
    ['an object that nobody is known to have seen before', [...before, { ops: 'r2' }], {}],
    ['a transaction that may not have committed', [...before, { ops: 'r1', outcome: 'unknown' }], {}],
  ] as const)('is not known of %s, and then no level is confirmed', (_, txns, options) => {
    const verdict = judged(txns, { inTurn: true, ...options });
    expect(names(verdict)).toEqual([]);
    for (const each of verdict.levels) {
      expect(each.answer).toBe('unknown');
      expect(each.reason).toMatch(/found no row of it/);
    }
  });

  it('is nothing that a refused transaction saw', () => {
    const verdict = judged([...before, { ops: 'r1', outcome: 'aborted' }], { inTurn: true });
    expect(names(verdict)).toEqual([]);
    expect(answer(verdict, 'strict-serializable')).toBe(true);
  });
});

describe('an object that is absent at first', () => {
  it('is one that holds its initial value: two that find nothing and both write have lost an update', () => {
    const verdict = judged([{ ops: 'l9 o9=11' }, { ops: 'l9 o9=12' }]);
    expect(names(verdict)).toEqual(['G-single-item lost update']);
    expect(answer(verdict, 'snapshot-isolation')).toBe(false);
  });

  it('may be missed by two, of whom each inserts another one: a write skew', () => {
    const verdict = judged([{ ops: 'l8 l9 i8=11' }, { ops: 'l8 l9 i9=12' }]);
    expect(names(verdict)).toEqual(['G2-item write skew']);
    expect(answer(verdict, 'snapshot-isolation')).toBe(true);
  });

  it('was absent for who inserted it without having looked, if that INSERT asks for it', () => {
    const [asks, writesOver] = (['i', 'o'] as const).map((kind) => judged([{ ops: `r1=12 ${kind}9=21` }, { ops: 'o9=22 w1=12' }]));
    expect(names(asks!)).toEqual(['G-single-item']);
    expect(names(writesOver!)).toEqual([]);
  });

  it('is not written by an INSERT that meets it', () => {
    const found = [{ ops: 'l9 i9=11' }, { ops: 'k9=12' }];
    expect(names(judged([...found, { ops: 'l9=11' }], { inTurn: true, closing: '9=11' }))).toEqual([]);
    expect(names(judged([...found, { ops: 'l9=12' }], { inTurn: true }))).toEqual(['G1a dirty read']);
  });

  it('is missed by nobody who saw it before it was taken back, nor by who never did', () => {
    const txns = [{ ops: 'l9 i9=11', outcome: 'aborted' }, { ops: 'l9=11' }, { ops: 'l9' }] as const;
    expect(names(judged(txns, { level: 'read-uncommitted', closing: '1=0' }))).toEqual(['G1a dirty read']);
  });
});

describe('a recorded round', () => {
  it.each(['mini', 'general', 'append'] as const)('of %s is judged from its record as the run judged it', (kind) => {
    const history = simulate(
      generateKeyValue('recorded', { kind, sessions: 3, transactions: 15, objects: 4 }),
      'lossy',
      createRandom('recorded'),
    );
    const { verdict } = (kind === 'append' ? assessLists : assessKeyValue)(history);
    const again = assessRound(history).verdict;
    expect(again.anomalies).toEqual(verdict.anomalies);
    expect(again.anomalies.length).toBeGreaterThan(0);
    expect(assessRound(history, { levels: ['serializable'] }).verdict.levels).toEqual([{ level: 'serializable', answer: false }]);
  });
});

const KINDS = ['mini', 'general', 'append'] as const;
const HOLDS: Readonly<Record<Isolation, Level>> = { serial: 'strict-serializable', snapshot: 'snapshot-isolation', lossy: 'rc' };

/** Workloads, some with objects that are absent at first. */
const SIMULATED = [...KINDS.map((kind) => ({ kind, late: 0 })), ...(['mini', 'general'] as const).map((kind) => ({ kind, late: 60 }))];

describe.each(SIMULATED)('simulated rounds of $kind, $late % about late objects', ({ kind, late }) => {
  const judge = kind === 'append' ? assessLists : assessKeyValue;
  it.each(['serial', 'snapshot', 'lossy'] as const)(
    'executed in the %s way keep what it promises, and no two checkers contradict each other',
    (isolation) => {
      const seen = new Set<string>();
      for (let seed = 0; seed < 12; seed++) {
        const testCase = generateKeyValue(`${kind} ${isolation} ${seed}`, {
          kind,
          late,
          sessions: 4,
          transactions: 12,
          objects: 6,
          operations: 4,
        });
        const { verdict } = judge(simulate(testCase, isolation, createRandom(`order ${seed}`)));
        expect(verdict.defects).toEqual([]);
        expect(
          verdict.levels.find(({ level }) => level === HOLDS[isolation])?.answer,
          `${isolation} ${seed}: ${verdict.anomalies[0]?.explanation}`,
        ).toBe(true);
        for (const { shapes } of verdict.anomalies) for (const shape of shapes) seen.add(shape);
      }
      if (isolation === 'serial') expect([...seen]).toEqual([]);
      if (isolation === 'snapshot') expect(seen).toContain('write skew');
      if (isolation === 'snapshot') expect(seen).not.toContain('lost update');
      if (isolation === 'lossy') expect(seen).toContain('lost update');
    },
  );
});
