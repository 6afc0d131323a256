/**
 * Runs the library on a real server. The tests cover its findings, its errors, and cancelling without leftovers. They check that
 * it prints nothing on stdout and stderr.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { DatabaseError, IncompleteError, UsageError, explore, replay, run } from '../../src/index.ts';
import type { ExploreResult, Finding, ProgressEvent, RunResult } from '../../src/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer, suiteServer } from './suite-server.ts';

const WITHDRAW = `
-- @schema
CREATE TABLE accounts (id int PRIMARY KEY, owner int NOT NULL, balance int NOT NULL);
-- @data
INSERT INTO accounts (id, owner, balance) VALUES (1, 1, 60), (2, 1, 60);
-- @transaction withdraw
-- @parameter :account key of accounts
SELECT sum(balance) INTO :total FROM accounts;
IF :total < 100 ROLLBACK;
UPDATE accounts SET balance = balance - 100 WHERE id = :account;
-- @invariant no-debt
SELECT owner FROM accounts GROUP BY owner HAVING sum(balance) < 0;
`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

/** The password is a word that occurs nowhere else, so a leak is seen anywhere. */
const SECRET = 'Tr0ub4dor';

/** The query returns the schemas that the library made. One DBMS is enough, because the library's own code is the same on each. */
const SCHEMAS: Readonly<Record<string, string>> = { postgres: `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'anomalist%'` };

async function schemasOfOurs(dialect: Dialect, url: string): Promise<readonly unknown[]> {
  const connection = await dialect.connect(url, {});
  try {
    return (await connection.query(SCHEMAS[dialect.name]!)).rows;
  } finally {
    await connection.end();
  }
}

/** Returns the error that the work rejects with. */
async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was fulfilled');
}

/** Aborts the call at the first event of that kind. Reads the server's schemas at that moment and after the call has settled. */
async function cancelled(
  kind: ProgressEvent['kind'],
  place: { readonly dialect: Dialect; readonly url: string },
  call: (options: { signal: AbortSignal; onProgress: (event: ProgressEvent) => void }) => Promise<unknown>,
): Promise<{ readonly error: unknown; readonly reason: Error; readonly during: readonly unknown[]; readonly after: readonly unknown[] }> {
  const controller = new AbortController();
  const reason = new Error('enough');
  let during: Promise<readonly unknown[]> | undefined;
  const onProgress = (event: ProgressEvent): void => {
    if (event.kind !== kind || during !== undefined) return;
    during = schemasOfOurs(place.dialect, place.url);
    controller.abort(reason);
  };
  const error = await rejection(call({ signal: controller.signal, onProgress }));
  return { error, reason, during: await during!, after: await schemasOfOurs(place.dialect, place.url) };
}

describeEachServer(
  'the library',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const at = (): { readonly dialect: Dialect; readonly url: string } => ({ dialect, url: suite.server.url });

    it('explores transactions that race, and replays what it found from its record', async () => {
      const result = await explore(suite.server.url, { sql: WITHDRAW }, { levels: ['read-committed', 'serializable'], seed: 1 });
      expect(result.inconclusive).toEqual([]);
      expect(result.levels.map(({ level, pairs }) => [level, pairs.map(({ answer }) => answer)])).toEqual([
        ['read-committed', ['not safe']],
        ['serializable', ['safe']],
      ]);
      const [finding] = result.findings as [Finding];
      expect(finding).toMatchObject({
        kind: 'broken invariant',
        level: 'read-committed',
        verdict: 'documented',
        transactions: ['withdraw', 'withdraw'],
        breaks: ['no-debt'],
        known: false,
      });
      expect(finding.transcript).toContain('UPDATE accounts SET balance = balance - 100');
      const record = JSON.parse(JSON.stringify(finding.record)) as Finding['record'];
      const again = await replay(record, suite.server.url, { levels: ['read-committed', 'serializable'], times: 2 });
      expect(again.rate).toEqual({ tries: 2, seen: 2 });
      expect(again.levels.map(({ code }) => code)).toEqual(['occurs', 'error']);
      expect(again.finding.fingerprint).toBe(finding.fingerprint);
      const known = await explore(
        suite.server.url,
        { sql: WITHDRAW },
        { levels: ['read-committed'], seed: 1, known: result.findings.map(({ fingerprint }) => fingerprint) },
      );
      expect(known.findings.map((each) => each.known)).toEqual(result.findings.map(() => true));
      expect(await schemasOfOurs(dialect, suite.server.url)).toEqual([]);
    });

    it('runs rounds, tells of each finding once, and replays an anomaly in full', async () => {
      const events: ProgressEvent[] = [];
      const result = await run(suite.server.url, {
        levels: ['read-committed'],
        rounds: 2,
        seed: 3,
        reduceSeconds: 0,
        onProgress: (event) => events.push(event),
      });
      expect(result.inconclusive).toEqual([]);
      expect(result.levels).toMatchObject([{ level: 'read-committed', rounds: 2 }]);
      expect(result.levels[0]!.answers.serializable).toBe(false);
      expect(result.findings.length).toBeGreaterThan(0);
      expect(new Set(result.findings.map(({ verdict }) => verdict))).toEqual(new Set(['documented']));
      const told = events.flatMap((event) => (event.kind === 'finding' ? [event.finding.id] : []));
      expect(new Set(told).size).toBe(told.length);
      expect(told.length).toBeGreaterThanOrEqual(result.findings.length);
      expect(events.findLast(({ kind }) => kind === 'rounds')).toMatchObject({
        levels: [{ rounds: 2, transactions: result.levels[0]!.transactions }],
      });
      let again = await replay(result.findings[0]!, suite.server.url, { times: 2 });
      for (const finding of result.findings.slice(1)) {
        if (again.rate!.seen > 0) break;
        again = await replay(finding, suite.server.url, { times: 2 });
      }
      expect(again.rate!.seen).toBeGreaterThan(0);
      expect(again.levels.find(({ own }) => own)).toMatchObject({ level: 'read-committed', code: 'occurs' });
      expect(again.finding.record['reproduction']).toBeDefined();
    });

    it('judges the invariants of a workload file', async () => {
      const { invariants } = await run(suite.server.url, { workload: { sql: WITHDRAW }, levels: ['serializable'], rounds: 1, seed: 1 });
      expect(invariants).toMatchObject([{ level: 'serializable', name: 'no-debt', rounds: 1, broken: 0 }]);
    });

    it.each(['programs', 'confirming'] as const)('an exploration is cancelled at %s, and leaves no schema', async (kind) => {
      const { error, reason, during, after } = await cancelled(kind, at(), (options) =>
        explore(suite.server.url, { sql: WITHDRAW }, { levels: ['read-committed'], ...options }),
      );
      expect(error).toBe(reason);
      // No schema exists between the programs and their confirmation.
      if (kind === 'programs') expect(during.length).toBeGreaterThan(0);
      expect(after).toEqual([]);
    });

    it.each(['finding', 'reducing'] as const)('a run is cancelled at %s, and leaves no schema', async (kind) => {
      const { error, reason, after } = await cancelled(kind, at(), (options) =>
        run(suite.server.url, { levels: ['read-committed'], rounds: kind === 'finding' ? 1_000 : 1, seed: 3, ...options }),
      );
      expect(error).toBe(reason);
      expect(after).toEqual([]);
    });

    it('a run is cancelled in the middle of a round, and leaves no schema', async () => {
      const controller = new AbortController();
      const ended = rejection(run(suite.server.url, { levels: ['serializable'], durationMs: 600_000, seed: 5, signal: controller.signal }));
      while ((await schemasOfOurs(dialect, suite.server.url)).length === 0) await sleep(5);
      controller.abort();
      expect(await ended).toBe(controller.signal.reason);
      expect(await schemasOfOurs(dialect, suite.server.url)).toEqual([]);
    });

    it('a call whose signal is aborted already begins nothing', async () => {
      const signal = AbortSignal.abort('not today');
      expect(await rejection(explore(suite.server.url, { catalogue: 'transactions' }, { signal }))).toBe('not today');
    });

    it('an error of onProgress ends the call, and is what it rejects with', async () => {
      const mine = new Error('mine');
      const call = explore(
        suite.server.url,
        { catalogue: 'transactions' },
        {
          onProgress: () => {
            throw mine;
          },
        },
      );
      expect(await rejection(call)).toBe(mine);
      expect(await schemasOfOurs(dialect, suite.server.url)).toEqual([]);
    });

    it('prints nothing and leaves the handlers of signals alone', async () => {
      const own = vi.fn<() => void>();
      process.on('SIGHUP', own);
      const before = SIGNALS.map((name) => process.listeners(name as NodeJS.Signals));
      const printed = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
      const seen: (readonly unknown[])[] = [];
      const onProgress = (): void => void seen.push(SIGNALS.map((name) => process.listeners(name as NodeJS.Signals)));
      try {
        await explore(suite.server.url, { sql: WITHDRAW }, { levels: ['read-committed'], onProgress });
        await run(suite.server.url, { levels: ['serializable'], rounds: 1, onProgress });
        expect(printed.flatMap(({ mock }) => mock.calls.map(([text]) => String(text)))).toEqual([]);
        expect(seen.length).toBeGreaterThan(2);
        for (const each of seen) expect(each).toEqual(before);
      } finally {
        process.off('SIGHUP', own);
      }
    });

    it('an error holds no password, wherever it comes from', async () => {
      const wrong = new URL(suite.server.url);
      wrong.username = 'nobody_here';
      wrong.password = SECRET;
      const errors = [
        await rejection(explore(wrong.href, { catalogue: 'transactions' })),
        await rejection(run(`postgres://me:${SECRET}@127.0.0.1:1/x`, { rounds: 1 })),
        await rejection(run(`postgres://me:${SECRET}@127.0.0.1:port/x`, { rounds: 1 })),
        await rejection(run(`oracle://me:${SECRET}@127.0.0.1/x`, { rounds: 1 })),
        await rejection(explore(`postgres://me:${SECRET}@[/x`, { catalogue: 'transactions' })),
      ];
      expect(errors.map((error) => error instanceof UsageError || error instanceof DatabaseError)).toEqual(errors.map(() => true));
      for (const error of errors) expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
    });

    it('a level that the server lacks, and a file with an error, are refused with what was expected', async () => {
      await expect(explore(suite.server.url, { sql: WITHDRAW }, { levels: ['cursor-stability'] })).rejects.toThrow(
        /has no such level; expected one of/,
      );
      await expect(explore(suite.server.url, { sql: '-- @transaction a\nSELEC 1;' })).rejects.toThrow(UsageError);
    });
  },
  { fits: ({ name }) => Object.hasOwn(SCHEMAS, name), once: true },
);

describeEachServer(
  'a server that goes away under the library',
  ({ start }) => {
    const suite = suiteServer(start);

    it('is an IncompleteError with what was found until then', async () => {
      let found = 0;
      const error = await rejection(
        run(suite.server.url, {
          levels: ['read-committed'],
          durationMs: 600_000,
          seed: 3,
          onProgress: ({ kind }) => {
            if (kind === 'finding' && ++found === 1) void sleep(500).then(() => process.kill(suite.server.pid, 'SIGKILL'));
          },
        }),
      );
      expect(error).toBeInstanceOf(IncompleteError);
      expect(error).toBeInstanceOf(DatabaseError);
      const { result } = error as IncompleteError<RunResult | ExploreResult>;
      expect(result.findings.length).toBeGreaterThan(0);
    });
  },
  { fits: ({ name }) => Object.hasOwn(SCHEMAS, name), once: true },
);

describe('options that are none', () => {
  it.each([
    [() => explore('postgres@18', 'no-such-file.sql'), /explore no-such-file\.sql/],
    [() => explore('postgres@18', { sql: WITHDRAW }, { transactions: ['deposit'] }), /no such transaction.*withdraw/],
    [() => explore('postgres@18', { sql: WITHDRAW }, { only: ['skew'] }), /options\.only: it chooses from a catalogue/],
    [() => explore('postgres@18', { catalogue: 'transactions' }, { draws: 3 }), /options\.draws: it chooses from a file/],
    [() => explore('postgres@18', { catalogue: 'all' as 'ddl' }), /programs\.catalogue: got "all"; expected transactions, ddl/],
    [() => explore('postgres@18', 7 as unknown as string), /programs: got 7; expected a file's path/],
    [() => explore('postgres@18', { sql: WITHDRAW }, { durationMs: 1, programs: 1 }), /two budgets; expected one/],
    [() => explore('postgres@18', { sql: WITHDRAW }, { levels: [] }), /options\.levels: got \[\]; expected a list of levels/],
    [() => run('postgres@18', { level: ['serializable'] } as object), /options\.level: there is no such option; expected some of/],
    [() => run('postgres@18', { durationMs: 0.5 }), /options\.durationMs: got 0\.5; expected a whole number from 1/],
    [() => run('postgres@18', { durationMs: 1, rounds: 1 }), /two budgets; expected one/],
    [() => run('postgres@18', { workload: 'banc' }), /there is no such workload\. Did you mean bank\?/],
    [() => run('postgres@18', { signal: {} as AbortSignal }), /options\.signal: got \{\}; expected an AbortSignal/],
    [() => run('', {}), /target: got ""; expected a target's name/],
    [() => run('postgre@18', {}), /there is no such server\. Did you mean postgres@18\?/],
    [() => replay('no-such.json', 'postgres@18'), /no-such\.json: there is no such file/],
    [() => replay({ format: 'other' } as unknown as Finding, 'postgres@18'), /got format "other"; expected a finding/],
    [() => replay(undefined as unknown as Finding, 'postgres@18'), /finding: got undefined; expected a finding/],
  ])('%s', async (call, message) => {
    const error = await rejection(call());
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(message);
  });
});
