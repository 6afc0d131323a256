/** What a class that was named makes of a verdict, and the program as the case that is run to name it. */
import { describe, expect, it } from 'vitest';
import type { Anomaly, AnomalyClass, ProgramTxn, PromiseVerdict, View } from '../../../core/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { judgedAs } from '../../../src/explore/classify.ts';
import { caseOf } from '../../../src/explore/program-case.ts';
import type { JudgedOutcome, Naming } from '../../../src/explore/classify.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';

function named(anomalyClass: AnomalyClass, verdict: PromiseVerdict): Naming {
  const anomaly: Anomaly = {
    class: anomalyClass,
    shapes: [],
    levels: [],
    cycle: [],
    transactions: [],
    statements: [],
    explanation: '',
    fingerprint: '',
  };
  return { named: { anomaly, judgement: { verdict }, times: 1, of: 1 } };
}

const outcome = (kind: JudgedOutcome['kind'], verdict: PromiseVerdict, serially?: true): JudgedOutcome => ({
  kind,
  judgement: { verdict },
  ...(serially && { serially }),
});

describe('a class that was named', () => {
  it.for<[string, Naming, JudgedOutcome, PromiseVerdict]>([
    ['decides, worse', named('G1a', 'bug'), outcome('no snapshot', 'documented'), 'bug'],
    ['decides, milder, where the outcome leaves it', named('G2-item', 'documented'), outcome('skew', 'undocumented'), 'documented'],
    ['is no excuse where the outcome asks for another class', named('G2-item', 'documented'), outcome('no snapshot', 'bug'), 'bug'],
    ['makes worse even then', named('G2-item', 'bug'), outcome('no snapshot', 'documented'), 'bug'],
    ['decides nothing behind an error of a constraint', named('G-single', 'bug'), outcome('an error', 'undocumented'), 'undocumented'],
    ['nor where snapshots explain it', named('G2', 'bug'), outcome('skew, an error', 'undocumented'), 'undocumented'],
    ['alone decides where serial orders give it too', named('G2-item', 'documented'), outcome('no snapshot', 'bug', true), 'documented'],
    ['where there is none: the outcome', { unnamed: 'nothing was seen' }, outcome('no snapshot', 'bug'), 'bug'],
  ])('%s', ([, naming, judged, verdict]) => {
    expect(judgedAs(naming, judged).verdict).toBe(verdict);
  });
});

describe('the case of a program', () => {
  const program = new Catalogue(createRandom('1'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false }).program({
    skeleton: 'write skew',
    world: 'two rows',
    'reads 1': 'point',
    'writes 1': 'set',
    'reads 2': 'point',
    'writes 2': 'set',
  });

  it('has BEGIN as a step of its own, in the order in which the sessions were chosen', () => {
    const { schedule, sessions, schema } = caseOf(program, { choices: [1, 0, 0, 1, 0, 1] });
    expect(schedule).toEqual([1, 1, 0, 0, 0, 1, 0, 1]);
    expect(sessions.map(({ transactions }) => transactions.map(({ id, statements, end }) => [id, statements.length, end]))).toEqual([
      [[1, 2, 'commit']],
      [[2, 2, 'commit']],
    ]);
    expect(schema.tables).toEqual(program.fixture.tables);
  });

  it('begins as the program does', () => {
    const [first, second] = program.transactions;
    const { sessions } = caseOf(
      { ...program, transactions: [{ ...first!, begin: 'deferrable' }, second!] },
      { choices: [1, 0, 0, 1, 0, 1] },
    );
    expect(sessions.map(({ transactions: [txn] }) => txn!.begin)).toEqual(['deferrable', undefined]);
  });

  it('begins nothing where a statement commits by itself, and takes the views along', () => {
    const [first, second] = program.transactions;
    const alone: ProgramTxn = { ...first!, steps: first!.steps.slice(0, 1), autocommit: true };
    const views: readonly View[] = [{ name: 'v', query: { kind: 'select', items: [], from: { kind: 'table', table: 'a', alias: 'a' } } }];
    const { schedule, sessions, schema } = caseOf(
      { ...program, fixture: { ...program.fixture, views }, transactions: [alone, second!] },
      { choices: [1, 0, 1, 1] },
    );
    expect(schedule).toEqual([1, 1, 0, 1, 1]);
    expect(sessions.map(({ transactions: [txn] }) => txn!.autocommit)).toEqual([true, false]);
    expect(schema.views).toEqual(views);
  });
});
