// What counts as a proof by results alone, run by run; the answers of every execution are given.
import { describe, expect, it } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import type { NotCompared, PlainRun } from '../../../../core/verdict/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { Replayer } from '../../../../src/reproduce/index.ts';
import { replayPlain } from '../../../../src/reproduce/plain.ts';
import type { RoundOutcome } from '../../../../src/execute/index.ts';
import { queryOf, schemaOf } from '../../../sql.ts';
import { roundOf } from '../../history-text.ts';

const query = queryOf(schemaOf('CREATE TABLE t (v int)'), 'SELECT v FROM t');
const LEVEL = postgres.levels[0]!;
const caseOf = (...ids: readonly number[]): TestCase => ({
  seed: 's',
  schema: { tables: [] },
  sessions: ids.map((id) => ({ transactions: [{ id, statements: [query], end: 'commit', autocommit: false }] })),
});

/** By transaction what its SELECT returned; `cut`: the execution did not come to its end, `aborted`: the transactions that did not commit. */
interface Execution {
  readonly answers: Readonly<Record<number, string>>;
  readonly cut?: true;
  readonly aborted?: readonly number[];
}

/** Every transaction alone with its SELECT. */
function outcomeOf(testCase: TestCase, { answers, cut, aborted = [] }: Execution): RoundOutcome {
  const builder = new HistoryBuilder(roundOf());
  testCase.sessions
    .flatMap(({ transactions }) => transactions)
    .forEach(({ id }, s) => {
      const at = { s, t: id, at: 10 * id };
      builder.add({ e: 'invoke', ...at, n: 0, k: 'begin', sql: 'BEGIN' });
      builder.add({ e: 'ok', ...at, n: 0 });
      builder.add({ e: 'invoke', ...at, n: 1, k: 'select', sql: 'SELECT', p: 0 });
      builder.add({ e: 'ok', ...at, n: 1, rows: 1, result: [[answers[id]!]] });
      builder.add({ e: 'end', ...at, outcome: aborted.includes(id) ? 'aborted' : 'committed' });
    });
  return {
    history: builder.finish(),
    complete: cut !== true,
    inForce: {},
    server: 'S',
    make: { words: 'S', number: '1' },
    configuration: {},
    endpoints: [],
    placed: [],
    invariants: [],
    laggingEndpoints: [],
  };
}

/** The case itself is executed as given, one time after the other; a serial order by the order of its sessions. */
class AnsweringLab extends Replayer {
  private readonly testCase: TestCase;
  private readonly executed: readonly Execution[];
  private readonly serial: Readonly<Record<string, Execution['answers']>>;
  private runs = 0;

  constructor(testCase: TestCase, executed: readonly Execution[], serial: Readonly<Record<string, Execution['answers']>>) {
    super({ name: 'answering', dialect: postgres, urls: ['postgres://h/db'] });
    this.testCase = testCase;
    this.executed = executed;
    this.serial = serial;
  }

  protected override async execute(testCase: TestCase): Promise<RoundOutcome> {
    if (testCase === this.testCase) return outcomeOf(testCase, this.executed[this.runs++] ?? this.executed.at(-1)!);
    return outcomeOf(testCase, { answers: this.serial[testCase.sessions.map(({ transactions }) => transactions[0]!.id).join(' ')]! });
  }
}

async function replayed(
  executed: readonly Execution[],
  serial: Readonly<Record<string, Execution['answers']>>,
  ids: readonly number[] = [1, 2],
): Promise<Pick<PlainRun, 'proof' | 'rate' | 'explanation' | 'notCompared'>> {
  const testCase = caseOf(...ids);
  const { proof, rate, explanation, notCompared } = await replayPlain(testCase, {
    replayer: new AnsweringLab(testCase, executed, serial),
    level: LEVEL,
    times: executed.length,
    shows: async () => false,
    snapshots: false,
    over: () => true,
  });
  return { proof, rate, explanation, ...(notCompared && { notCompared }) };
}

const SERIAL = { '1 2': { 1: 'a', 2: 'b' }, '2 1': { 1: 'b', 2: 'a' } };
const BOTH_FIRST: Execution = { answers: { 1: 'a', 2: 'a' } };

describe('the results prove the anomaly', () => {
  it('where no serial order of two transactions gives them', async () => {
    expect(await replayed([BOTH_FIRST], SERIAL)).toMatchObject({ proof: 'results', rate: { tries: 1, seen: 1 } });
    expect(await replayed([BOTH_FIRST], SERIAL)).not.toHaveProperty('notCompared');
  });

  it('not where one of the orders gives them, though the others do not', async () => {
    const { proof, explanation } = await replayed([{ answers: { 1: 'a', 2: 'b' } }], SERIAL);
    expect(proof).toBe('auxiliary columns');
    expect(explanation).toContain('the serial order T1, T2 would give the same');
  });

  it('not where fewer than two transactions committed: what one read of the others need not be a serial result', async () => {
    const { proof, explanation } = await replayed([{ answers: { 1: 'x', 2: 'a' }, aborted: [2] }], { '1': { 1: 'a' } });
    expect(proof).toBe('auxiliary columns');
    expect(explanation).toContain('Fewer than two transactions committed');
  });

  it.each<[string, Execution, ids: readonly number[], NotCompared, words: string]>([
    ['the execution was cut short', { ...BOTH_FIRST, cut: true }, [1, 2], { code: 'run-cut' }, 'the execution was cut short'],
    [
      'more than four transactions committed',
      { answers: { 1: 'a', 2: 'a', 3: 'a', 4: 'a', 5: 'a' } },
      [1, 2, 3, 4, 5],
      { code: 'many-committed' },
      'there are too many transactions:',
    ],
  ])('not where %s, and the reason is given as data and in words', async (_, executed, ids, reason, words) => {
    const { proof, explanation, notCompared } = await replayed([executed], SERIAL, ids);
    expect(proof).toBe('auxiliary columns');
    expect(notCompared).toEqual(reason);
    expect(explanation).toContain(`The results were not compared with serial orders, as ${words}`);
  });
});

describe('of several runs is counted', () => {
  it('each whose results prove it again', async () => {
    expect((await replayed([BOTH_FIRST, { answers: { 1: 'a', 2: 'b' } }, BOTH_FIRST], SERIAL)).rate).toEqual({ tries: 3, seen: 2 });
  });

  it('none that was cut short, whatever it returned until then', async () => {
    expect((await replayed([BOTH_FIRST, { ...BOTH_FIRST, cut: true }, BOTH_FIRST], SERIAL)).rate).toEqual({ tries: 3, seen: 2 });
  });

  it('none in which others committed', async () => {
    expect((await replayed([BOTH_FIRST, { ...BOTH_FIRST, aborted: [2] }], SERIAL)).rate).toEqual({ tries: 2, seen: 1 });
  });
});
