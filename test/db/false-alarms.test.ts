/**
 * Workloads that were once called a bug of the vendor's, or recorded with versions that nobody had read: at full speed, for
 * ANOMALIST_FALSE_ALARM_SECONDS a file, level and server (a few by default, but at least one round). None of what they show
 * may be a bug, and every version that is said to have been read must be the one whose value was returned.
 */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { judge } from '../../check/index.ts';
import { NONE, ROLE } from '../../core/history/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { History, Image } from '../../core/history/index.ts';
import { postgres } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { judgedConfiguration } from '../../src/judge/assess/configuration.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { fileWorkload } from '../../src/workload/file.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const SECONDS = Number(process.env['ANOMALIST_FALSE_ALARM_SECONDS'] ?? 3);

interface Alarm {
  readonly file: string;
  readonly levels: readonly Level[];
  /** The servers that take its SQL. */
  readonly fits: (dialect: Dialect) => boolean;
  /** Its SELECTs return an id and the v of that row of a. */
  readonly returnsRows?: true;
}

const onPostgres = (dialect: Dialect): boolean => dialect === postgres;
const ALARMS: readonly Alarm[] = [
  { file: 'lock-inside', levels: ['read-committed'], fits: onPostgres },
  { file: 'hiding-view', levels: ['repeatable-read', 'serializable'], fits: (dialect) => !onPostgres(dialect) },
  { file: 'hiding-view-postgres', levels: ['read-committed', 'repeatable-read'], fits: onPostgres },
  { file: 'scalar-subquery', levels: ['read-committed'], fits: onPostgres, returnsRows: true },
  { file: 'locking-view', levels: ['read-committed'], fits: onPostgres, returnsRows: true },
];

describeEachServer(
  'what is no bug',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const cases = ALARMS.filter(({ fits }) => fits(dialect)).flatMap((alarm) =>
      alarm.levels.map((level) => [alarm.file, level, alarm] as const),
    );

    it.each(cases)(
      '%s at %s is none',
      async (file, name, { returnsRows }) => {
        const workload = await fileWorkload(
          fileURLToPath(new URL(`false-alarms/${file}.sql`, import.meta.url)),
          { mode: 'stress', sessions: 4, transactions: 30 },
          dialect,
        );
        const level = dialect.levels.find((row) => row.level === name)!;
        const verdicts: Record<string, number> = { bug: 0 };
        const compared = { same: 0, other: 0, unknown: 0, shown: 0, selects: 0 };
        const until = performance.now() + SECONDS * 1000;
        let transactions = 0;
        for (let round = 0; round === 0 || performance.now() < until; round++) {
          const testCase = workload.caseOf(`alarms/${round}`);
          const outcome = await runRound({
            round,
            probedCase: instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: name }),
            dialect,
            level,
            urls: [suite.server.url],
            mode: 'stress',
            namespace: `anomalist_alarms_${round}_${name.replace('-', '_')}`,
            recorder: new Recorder(undefined, { tool: 'test', seed: '0' }),
          });
          expect(outcome.reason).toBeUndefined();
          const { verdict } = workload.assess(outcome.history, testCase);
          transactions += outcome.history.transactions.count - 1;
          for (const anomaly of verdict.anomalies) {
            const said = judge(anomaly, name, judgedConfiguration(outcome, anomaly), dialect.promises, dialect).verdict;
            verdicts[said] = (verdicts[said] ?? 0) + 1;
            if (said === 'bug') console.log(`${target} ${file} ${name}, round ${round}: ${anomaly.class} ${anomaly.fingerprint}`);
          }
          if (returnsRows) compare(outcome.history, compared);
        }
        console.log(
          `${target} ${file} at ${name}, ${SECONDS} s: ${transactions} transactions; ${JSON.stringify(verdicts)}${returnsRows ? `; versions read and values returned: ${JSON.stringify(compared)}` : ''}`,
        );
        expect(verdicts['bug']).toBe(0);
        expect(compared.other + compared.unknown).toBe(0);
      },
      SECONDS * 1000 + 300_000,
    );
  },
  { fits: (dialect) => dialect.importer !== undefined },
);

/** Of each row of a that a SELECT is said to have read: is the v of that version the one that it returned? */
function compare(history: History, compared: { same: number; other: number; unknown: number; shown: number; selects: number }): void {
  const { statements, observations, entries, transactions, rows } = history;
  const images = new Map<string, Image>();
  for (const each of history.images) for (const [i, rid] of each.rids.entries()) images.set(`${rid} 0.0`, each.images[i]!);
  const versionOf = (o: number): string => {
    const last = observations.start[o]! + observations.length[o]! - 1;
    return `${rows.rid[observations.row[o]!]} ${transactions.id[entries.txn[last]!]}.${entries.seq[last]}`;
  };
  for (let o = 0; o < observations.count; o++)
    if (observations.role[o] === ROLE.write && observations.image[o] !== undefined) images.set(versionOf(o), observations.image[o]!);
  for (let s = 0; s < statements.count; s++)
    if (statements.kind[s] === 'select' && statements.plan[s] !== NONE && statements.result[s] !== undefined) compared.selects++;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    const result = statements.result[s];
    if (statements.kind[s] !== 'select' || result === undefined || rows.table[observations.row[o]!] !== 'a') continue;
    compared.shown++;
    const image = images.get(versionOf(o));
    const returned = result.filter(([id]) => id === image?.[0]);
    if (image === undefined || returned.length === 0) compared.unknown++;
    else if (returned.every(([, v]) => v === image[1])) compared.same++;
    else compared.other++;
  }
}
