/** A round on every server at hand: what the record of a schedule holds, and what is left behind. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HistoryEvent, Level, TxnPlan } from '../../core/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { coverageOf, Recorder, runRound } from '../../src/run/index.ts';
import type { RoundOutcome, RoundSetup } from '../../src/run/index.ts';
import { describeEachServer } from './each-server.ts';
import { auto, insert, probed, read, remove, txn, write } from './run-case.ts';

describeEachServer('rounds', ({ dialect, start }) => {
  let server: StartedServer;
  let rounds = 0;

  beforeAll(async () => {
    server = await start();
  }, 240_000);
  afterAll(() => server?.stop());

  /** Weak levels are off on some servers. */
  const weakest = (['read-committed', 'repeatable-read', 'serializable'] as const).find((name) => dialect.levels.some(({ level, offByDefault }) => level === name && offByDefault !== true))!;

  async function play(sessions: readonly (readonly TxnPlan[])[], schedule?: readonly number[], more: Partial<RoundSetup> & { readonly at?: Level } = {}): Promise<{ outcome: RoundOutcome; events: readonly HistoryEvent[] }> {
    const events: HistoryEvent[] = [];
    const recorder = new Recorder(undefined, { tool: 'test', seed: 's' });
    const add = recorder.add.bind(recorder);
    recorder.add = (event) => {
      events.push(event);
      add(event);
    };
    const outcome = await runRound({
      round: 0, probedCase: probed(sessions, { mode: 'exact', capabilities: dialect.capabilities, ...(schedule && { schedule }) }), dialect, level: dialect.levels.find(({ level }) => level === (more.at ?? weakest))!,
      urls: [server.url], mode: schedule ? 'schedule' : 'stress', namespace: `round_test_${rounds++}`, recorder, ...more,
    });
    return { outcome, events };
  }

  const finalList = (events: readonly HistoryEvent[]): readonly string[] => events.flatMap((event) => (event.e === 'ok' && event.t === 3 && event.r ? event.r.filter((_, i) => i % 3 === 2) : []));
  const endOf = (events: readonly HistoryEvent[], t: number): readonly string[] => events.flatMap((event) => (event.e === 'end' && event.t === t ? [event.outcome] : []));

  it('a second writer waits for the first and writes on what it left', async () => {
    const { outcome, events } = await play([[txn(1, write('t', 1, 11))], [txn(2, write('t', 1, 12))]], [0, 1, 0, 1, 0, 1]);

    expect(outcome).toMatchObject({ complete: true, inForce: { [dialect.levels.find(({ level }) => level === weakest)!.inForce]: 2 } });
    expect(events.filter((event) => event.e === 'ok' && event.t === 2 && event.blocked)).toHaveLength(1);
    expect(finalList(events)).toContain(',0.0,1.1,2.1');
  });

  it('a schedule runs the same way three times', async () => {
    const sessions = [[txn(1, write('t', 1, 1), write('t', 2, 1))], [txn(2, read('t', 3), write('t', 1, 2))], [txn(3, read('t', 2), write('u', 3, 3))]];
    const seen = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { events } = await play(sessions, [2, 0, 1, 0, 2, 1, 0, 2, 1, 0, 1, 2]);
      seen.add(events.flatMap((event) => ('t' in event && event.e !== 'end' && event.t <= 3 ? [`${event.t} ${event.e}${event.e === 'invoke' ? ` ${event.k}` : ''}${event.e === 'ok' && event.blocked ? ' waited' : ''}`] : [])).toSorted().join('\n'));
    }
    expect(seen.size).toBe(1);
  });

  it('a deadlock costs one of the two its transaction, and nothing more of it is sent', async () => {
    const { outcome, events } = await play([[txn(1, write('t', 1, 1), write('t', 2, 1), read('u', 1))], [txn(2, write('t', 2, 2), write('t', 1, 2), read('u', 1))]], [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);

    expect(outcome.complete).toBe(true);
    expect(coverageOf(outcome.history)).toMatchObject({ committed: 1, aborted: 1 });
    const failed = events.find((event) => event.e === 'fail');
    expect(failed?.class).toMatch(/deadlock|serialization/);
    const later = events.slice(events.indexOf(failed!)).filter((event) => event.e === 'invoke' && event.t === failed!.t);
    expect(later.map((event) => (event.e === 'invoke' ? event.k : ''))).toEqual(['rollback']);
  });

  it('writes show what they wrote and removed; autocommit statements are transactions of their own', async () => {
    const { outcome, events } = await play([[txn(1, insert('t', 7), remove('t', 1)), auto(2, write('t', 7, 5)), auto(3, insert('t', 7))]]);

    expect(events.find((event) => event.e === 'ok' && event.w?.includes(',1.1'))).toBeDefined();
    expect(events.find((event) => event.e === 'ok' && event.d?.includes(',0.0'))).toBeDefined();
    expect(events.find((event) => event.e === 'ok' && event.w?.includes(',1.1,2.1'))).toBeDefined();
    expect([endOf(events, 2), endOf(events, 3)]).toEqual([['committed'], ['aborted']]);
    expect(coverageOf(outcome.history)).toMatchObject({ committed: 2, aborted: 1, errors: { constraint: 1 } });
  });

  it('an abort ends the round as interrupted and leaves nothing behind', async () => {
    const controller = new AbortController();
    let begun = 0;
    const sessions = [0, 1, 2].map((s) => Array.from({ length: 50 }, (_, i) => txn(1 + s * 50 + i, ...Array.from({ length: 20 }, () => write('t', 1 + s, i)))));
    const { outcome } = await play(sessions, undefined, {
      signal: controller.signal,
      enough: () => {
        if (++begun === 10) controller.abort();
        return false;
      },
    });

    expect(outcome).toMatchObject({ complete: false, reason: 'interrupted' });
    expect(outcome.leftover).toBeUndefined();
    const control = await dialect.connect(server.url, {});
    const { rows } = await control.query("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'round!_test!_%' ESCAPE '!'");
    await control.end();
    expect(rows).toEqual([]);
  });
});
