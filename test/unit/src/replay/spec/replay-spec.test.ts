// A .spec whose runs are given: which errors prevent, which of several orders decides, and what is seen.
import { describe, expect, it, vi } from 'vitest';
import type { Level } from '../../../../../core/level/index.ts';
import type { ErrorClass } from '../../../../../core/dialect/index.ts';
import type { FixtureState } from '../../../../../core/program/index.ts';
import type { Control } from '../../../../../core/verdict/index.ts';
import type { Reply } from '../../../../../src/explore/program-runner.ts';
import { parseSpec, replaySpec } from '../../../../../src/replay/index.ts';
import { lost, notJudged, unusable } from '../../../../../src/reproduce/otherwise.ts';
import type { Spec } from '../../../../../src/replay/spec/parse-spec.ts';
import { SpecRunner } from '../../../../../src/replay/spec/spec-runner.ts';
import type { RunItem, SpecRun, StepRun } from '../../../../../src/replay/spec/spec-runner.ts';
import { SpecStop } from '../../../../../src/replay/spec/spec-stop.ts';
import { ScriptedLab } from '../../reproduce/scripted-replayer.ts';

const BESIDE = 'a1 b1 a2 b2';
const OTHER = 'b1 a1 b2 a2';
const [A_FIRST, B_FIRST] = ['a1 a2 b1 b2', 'b1 b2 a1 a2'];
const specOf = (...permutations: readonly string[]): Spec =>
  parseSpec(
    `setup { CREATE TABLE t (k int PRIMARY KEY, v int); }
session a step a1 { BEGIN; UPDATE t SET v = 1 WHERE k = 1; } step a2 { COMMIT; }
session b step b1 { BEGIN; UPDATE t SET v = 2 WHERE k = 1; } step b2 { COMMIT; }
${permutations.map((each) => `permutation ${each}`).join('\n')}
`,
    'a.spec',
  );

interface Answer {
  /** The key is the name of the step. */
  readonly replies?: Readonly<Record<string, Partial<Reply>>>;
  readonly waits?: readonly string[];
  readonly tables?: FixtureState;
}
/** The name of a run is that of its steps, with a `rollback` behind each session where these run one after the other. */
type Script = (run: string, n: number) => Answer | SpecStop;

const failing = (errorClass: ErrorClass, code: string): Partial<Reply> => ({ error: { class: errorClass, code, message: 'the words' } });
const left = (v: string): FixtureState => ({ t: [['1', v]] });

function runOf(items: readonly RunItem[], { replies = {}, waits = [], tables = {} }: Answer): SpecRun {
  const steps = items.map((item, i): StepRun => ({
    item,
    reply: { rows: [], affected: 0, ...replies[item.name] },
    status: item.does === 'rollback' || item.name.endsWith('2') ? 'outside' : 'inside',
    sent: 10 * i,
    replied: 10 * i + 1,
    waited: waits.includes(item.name),
  }));
  return { steps, setups: [undefined, undefined], tables };
}

async function replayed(script: Script, spec = specOf(BESIDE), level: Level = 'serializable', times = 1): Promise<Control> {
  let n = 0;
  vi.spyOn(SpecRunner, 'open').mockResolvedValue({
    run: (items: readonly RunItem[]) => {
      const answer = script(items.map(({ name }) => name).join(' '), ++n);
      return answer instanceof SpecStop ? Promise.reject(answer) : Promise.resolve(runOf(items, answer));
    },
    close: () => Promise.resolve(),
  } as unknown as SpecRunner);
  const replayer = new ScriptedLab(() => 'nothing');
  return replaySpec(replayer, spec, replayer.level(level)!, times);
}

const isSerial = (run: string): boolean => run === A_FIRST || run === B_FIRST;

describe('an error of a .spec', () => {
  it('that the same step raises one after the other makes it unusable, whatever the error is', async () => {
    for (const errorClass of ['syntax', 'constraint', 'other'] as const)
      expect(await replayed(() => ({ replies: { a1: failing(errorClass, '1') } }))).toMatchObject({
        code: 'unusable',
        outcome: 'unusable: step a1 fails when the sessions run one after the other too: the words (1)',
      });
  });

  it('that concurrency alone raises prevents', async () => {
    const seen = await replayed((run) => (run === BESIDE ? { replies: { b1: failing('serialization', '40001') } } : {}));
    expect(seen).toMatchObject({ code: 'error', outcome: 'prevented by error 40001', rate: { tries: 1, seen: 0 } });
  });

  it('of data prevents nothing: it is an answer, which some serial order gives or none', async () => {
    const taken = { replies: { b1: failing('constraint', '23505') } };
    const explained = await replayed((run) => (run === BESIDE || run.startsWith('a1 a2') ? taken : {}));
    expect(explained).toMatchObject({ code: 'not seen', outcome: 'not seen' });
    const none = await replayed((run) => (run === BESIDE ? taken : {}));
    expect(none).toMatchObject({ code: 'occurs', rate: { tries: 1, seen: 1 } });
  });

  it('behind another one follows from that', async () => {
    const replies = { a1: failing('constraint', '23505'), a2: failing('aborted transaction', '25P02') };
    const inTurn = { replies: { a2: failing('aborted transaction', '25P02') } };
    expect(await replayed((run) => (run === BESIDE ? { replies } : inTurn))).toMatchObject({ code: 'not seen' });
    expect(await replayed((run) => (run === BESIDE ? inTurn : {}))).toMatchObject({ outcome: 'prevented by error 25P02' });
  });

  it('of a limit for statements is no prevention', async () => {
    const seen = await replayed((run) => (run === BESIDE ? { replies: { b1: failing('statement timeout', '57014') } } : {}));
    expect(seen).toMatchObject({ code: 'not run', outcome: 'not run: step b1 came to no end: the words (57014)' });
  });
});

describe('of several orders', () => {
  const answers: Readonly<Record<string, Answer>> = {
    error: { replies: { b1: failing('serialization', '40001') } },
    blocking: { waits: ['b1', 'a1'] },
    'not seen': {},
    'not run': { replies: { b1: failing('statement timeout', '57014') } },
  };
  it.each([
    ['error', 'blocking'],
    ['error', 'not seen'],
    ['blocking', 'not seen'],
    ['not run', 'error'],
  ])('%s says more than %s, whichever comes first', async (more, less) => {
    for (const [one, other] of [
      [more, less],
      [less, more],
    ] as const) {
      const script: Script = (run) => (run === BESIDE ? answers[one]! : run === OTHER ? answers[other]! : {});
      expect(await replayed(script, specOf(BESIDE, OTHER))).toMatchObject({ code: more, rate: { tries: 2, seen: 0 } });
    }
  });

  it('one that is seen decides, however often it was not', async () => {
    const script: Script = (run) => (run === OTHER ? { tables: left('9') } : { tables: left('2') });
    for (const orders of [
      [BESIDE, OTHER],
      [OTHER, BESIDE],
    ])
      expect(await replayed(script, specOf(...orders), 'serializable', 3)).toMatchObject({ code: 'occurs', rate: { tries: 6, seen: 3 } });
  });
});

describe('a run that no serial order explains', () => {
  const rows: Script = (run) => ({ tables: left(run === A_FIRST ? '2' : run === B_FIRST ? '1' : '9') });

  it('occurs, judged by the promises of its level, by the rows that it left alone', async () => {
    expect(await replayed(rows)).toMatchObject({ code: 'occurs', rate: { tries: 1, seen: 1 }, judgement: { verdict: 'bug' } });
    expect((await replayed(rows, specOf(BESIDE), 'read-committed')).judgement?.verdict).toBe('documented');
    expect(await replayed((run) => ({ tables: left(run === A_FIRST || run === BESIDE ? '2' : '1') }))).toMatchObject({ code: 'not seen' });
  });

  it('is not judged where a serial order answers otherwise each time', async () => {
    const unstable: Script = (run, n) => ({ tables: left(isSerial(run) ? `${n}` : '9') });
    expect(await replayed(unstable)).toMatchObject({
      code: 'not judged',
      outcome: 'not judged: the same serial order answers otherwise each time',
    });
  });

  it.each([
    ['not judged', notJudged('it cannot be told')],
    ['unusable', unusable('it fails alone')],
  ])('counts for nothing where the file turns out to be %s', async (code, otherwise) => {
    const script: Script = (run, n) => (run === OTHER ? new SpecStop(otherwise) : rows(run, n));
    expect(await replayed(script, specOf(BESIDE, OTHER))).toMatchObject({ code, outcome: otherwise.outcome });
  });

  it('stays seen where the server was lost behind it, and else nothing is said', async () => {
    const behind: Script = (run, n) => (run === OTHER ? new SpecStop(lost('gone')) : rows(run, n));
    expect(await replayed(behind, specOf(BESIDE, OTHER))).toMatchObject({ code: 'occurs', rate: { tries: 1, seen: 1 } });
    expect(await replayed(() => new SpecStop(lost('gone')))).toMatchObject({
      code: 'lost',
      outcome: 'lost: gone',
      rate: { tries: 0, seen: 0 },
    });
  });
});

it('a file of another DBMS is not run where its statements fail, and is where they do not', async () => {
  const foreign = { ...specOf(BESIDE), dbms: ['mysql'] };
  const failed: Script = () => ({ replies: { a1: failing('syntax', '1') } });
  expect(await replayed(failed, foreign)).toMatchObject({ code: 'not run', outcome: 'not run: it is written for mysql' });
  expect(await replayed(failed, { ...foreign, dbms: ['mysql', 'postgres'] })).toMatchObject({ code: 'unusable' });
  expect(await replayed(() => ({}), foreign)).toMatchObject({ code: 'not seen' });
});
