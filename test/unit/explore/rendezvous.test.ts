/** The parts of a race that need no server: processes that are stopped for moments, and the check of plain reads. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../../../core/program/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import { ownBackends } from '../../../src/explore/rendezvous/own-backends.ts';
import { Pauses } from '../../../src/explore/rendezvous/pauses.ts';
import { racedStatements } from '../../../src/explore/rendezvous/raced-statements.ts';
import type { StepOutcomes } from '../../../src/explore/rendezvous/step-outcomes.ts';
import type { Played } from '../../../src/explore/play.ts';
import type { Reply } from '../../../src/explore/program-runner.ts';

describe.skipIf(process.platform !== 'linux')('sessions that are processes', () => {
  let child: ChildProcess;
  beforeAll(() => {
    child = spawn('sleep', ['600'], { stdio: 'ignore' });
  });
  afterAll(() => {
    child.kill('SIGKILL');
  });

  function isStopped(): boolean {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  }

  async function untilStopped(): Promise<void> {
    while (!isStopped()) await setImmediate();
  }

  it('are those whose parent is a process of our server', () => {
    const pid = String(child.pid);
    expect(ownBackends([pid], [process.pid])).toEqual([child.pid]);
    expect(ownBackends([pid], [process.ppid])).toEqual([]);
    expect(ownBackends([pid], [])).toEqual([]);
    expect(ownBackends(['', '0', '1', 'x', '12:7', String(process.pid)], [0, 1, process.pid])).toEqual([]);
  });

  it('are stopped while a round runs, and go on behind it, also if it fails', async () => {
    const pauses = new Pauses([child.pid!]);
    expect(
      await pauses.during(
        untilStopped().then(() => 'done'),
        createRandom('1'),
      ),
    ).toBe('done');
    expect(isStopped()).toBe(false);
    const failing = untilStopped().then(() => Promise.reject(new Error('lost')));
    await expect(pauses.during(failing, createRandom('2'))).rejects.toThrow('lost');
    expect(isStopped()).toBe(false);
  });

  it('go on at once when a signal ends our process', async () => {
    const before = process.listenerCount('SIGTERM');
    const handler = (): void => undefined; // With another handler in force, the signal does not end the test.
    process.on('SIGTERM', handler);
    try {
      const round = untilStopped().then(() => {
        process.emit('SIGTERM', 'SIGTERM');
        return isStopped();
      });
      expect(await new Pauses([child.pid!]).during(round, createRandom('3'))).toBe(false);
    } finally {
      process.off('SIGTERM', handler);
    }
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });

  it('may end meanwhile', async () => {
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    let polls = 0;
    const round = (async () => {
      while (polls++ < 2_000) await setImmediate();
      return 'done';
    })();
    expect(await new Pauses([other.pid!]).during(round, createRandom('4'))).toBe('done');
  });
});

describe('a plain read of a race', () => {
  const select = { kind: 'select', items: [], from: { kind: 'table', table: 't', alias: 't' } } as const;
  const program: Program = {
    number: 0,
    made: {},
    fixture: { name: 'one', tables: [], byIndex: false },
    transactions: [
      { steps: [{ statement: select, tables: ['t'], plainRead: true }], end: 'commit' },
      { steps: [{ statement: { kind: 'delete', table: 't' }, tables: ['t'], plainRead: false }], end: 'commit' },
    ],
  };
  const told = (...values: readonly string[]): Reply => ({ rows: values.map((value) => [value]), affected: values.length });
  const played = (read: Reply, more: Partial<Played> = {}, end: 'committed' | 'aborted' = 'committed'): Played => ({
    outcome: {
      transactions: [
        { replies: [read], end: 'committed' },
        { replies: [told()], end },
      ],
      state: {},
    },
    choices: [0, 1, 0, 1],
    transcript: [],
    raced: 1,
    ...more,
  });
  const steps = (whole: boolean): StepOutcomes => ({
    orders: 4,
    whole,
    runOf: () => undefined,
    gives: (_session, _step, reply) => reply === '[0,[]]' || reply === '[2,["[\\"1\\"]","[\\"2\\"]"]]',
  });

  it('has a reply of some order of whole statements, or saw parts of several states', () => {
    expect(racedStatements(program, played(told('2', '1')), steps(true))).toEqual({ judged: 1, unjudged: {}, violations: [] });
    const { violations } = racedStatements(program, played(told('2')), steps(true));
    expect(violations).toMatchObject([{ kind: 'part of a transaction', reading: 'plain' }]);
    expect(violations[0]!.seen.join('\n')).toContain('none of the 4 orders of whole statements gives it this reply');
  });

  it('is not judged where the orders may miss its reply', () => {
    const half = told('2');
    for (const [run, known] of [
      [played(half), steps(false)],
      [played(half, { begunAgain: [2] }), steps(true)],
      [played(half, {}, 'aborted'), steps(true)],
    ] as const) {
      const { judged, unjudged, violations } = racedStatements(program, run, known);
      expect([judged, Object.values(unjudged), violations]).toEqual([0, [1], []]);
    }
  });

  it('is not judged beside functions that read', () => {
    const body = { name: 'f', text: ['f'], reads: ['t'], writes: [], inserts: [], calls: [] };
    const calling = { ...select, items: [{ expression: { kind: 'routine', name: 'f', args: [] }, alias: 'f' }] } as const;
    const [reader, writer] = program.transactions;
    const acting: Program = {
      ...program,
      fixture: { ...program.fixture, routines: [{ ...body, kind: 'function', returns: 'integer', takes: [] }] },
      transactions: [{ ...reader!, steps: [{ ...reader!.steps[0]!, statement: calling }] }, writer!],
    };
    expect(racedStatements(acting, played(told('2')), steps(true))).toMatchObject({ judged: 0, violations: [] });
  });
});
