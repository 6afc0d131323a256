/** A record with rounds of several levels: each level is answered by the rounds that ran at it or above. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { HISTORY_FORMAT, HISTORY_VERSION } from '../../../../../core/history/index.ts';
import type { Level } from '../../../../../core/level/index.ts';
import type { HistoryEvent, InvokeEvent, OkEvent, RoundEvent, SentKind } from '../../../../../core/history/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import { checkCommand } from '../../../../../src/app/commands/check.ts';
import { verifyCommand } from '../../../../../src/app/commands/verify.ts';
import { RanLevels } from '../../../../../src/judge/tally/ran-levels.ts';
import { eventsFromText } from '../../../history-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'anomalist-check-rounds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Both read the first x and both write it. */
const LOST_UPDATE = `
  t1: r x ,0.0; w x ,0.0,1.1; commit
  t2: r x ,0.0; w x ,0.0,1.1,2.1; commit`;
const SERIAL = `
  t1@s1: r x ,0.0; w x ,0.0,1.1; commit
  t2@s1: r x ,0.0,1.1; w x ,0.0,1.1,2.1; commit`;

let files = 0;

function recordOf(...rounds: readonly (readonly [Level, string])[]): string {
  const file = join(folder, `history-${files++}.ndjson`);
  const events: HistoryEvent[] = [{ e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 't', seed: 's' }];
  for (const [round, [level, text]] of rounds.entries()) {
    events.push(roundOf(round, level));
    events.push(...eventsFromText(text).map((event) => (event.e === 'close' ? { ...event, round } : event)));
  }
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}

function roundOf(round: number, level: Level): RoundEvent {
  return {
    e: 'round',
    round,
    seed: 's',
    dialect: 'd',
    server: 's',
    level,
    mode: 'stress',
    instrument: 'exact',
    sessions: 2,
    endpoints: [],
    tables: ['t'],
    objects: true,
    configuration: {},
  };
}

interface Said {
  readonly levels: Readonly<Record<string, boolean | 'unknown'>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly ran: readonly {
    readonly level: string;
    readonly rounds: number;
    readonly transactions: number;
    readonly levels: Readonly<Record<string, boolean | 'unknown'>>;
  }[];
  readonly anomalies: readonly { readonly class: string; readonly ran: string; readonly round: number }[];
}

function command(...words: readonly string[]): Promise<{ readonly exit: number; readonly text: string }> {
  return run(checkCommand, 'check', ...words);
}

async function run(
  make: typeof checkCommand | typeof verifyCommand,
  ...words: readonly string[]
): Promise<{ readonly exit: number; readonly text: string }> {
  let exit = -1;
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    await make((code) => (exit = code))
      .exitOverride()
      .parseAsync(['node', ...words]);
  } finally {
    write.mockRestore();
  }
  return { exit, text };
}

async function asJson(...words: readonly string[]): Promise<Said & { readonly exit: number }> {
  const { exit, text } = await command(...words, '--json');
  return { exit, ...(JSON.parse(text) as Said) };
}

describe('check of rounds of several levels', () => {
  it('does not call a level violated for what a weaker round allowed', async () => {
    const { exit, levels, ran } = await asJson(
      recordOf(['read-committed', LOST_UPDATE], ['serializable', SERIAL]),
      '--level',
      'serializable',
    );
    expect(levels).toEqual({ serializable: true });
    expect(exit).toBe(0);
    expect(ran.map(({ level, rounds, transactions, levels: answers }) => [level, rounds, transactions, answers])).toEqual([
      ['read-committed', 1, 2, { serializable: false }],
      ['serializable', 1, 2, { serializable: true }],
    ]);
  });

  it('says it in rows of text', async () => {
    const { text } = await command(recordOf(['read-committed', LOST_UPDATE], ['serializable', SERIAL]), '--level', 'serializable');
    expect(text).toMatch(/^serializable +holds$/m);
    expect(text).toMatch(/^ran at read-committed \(1 round, 2 transactions\):\n {2}serializable +VIOLATED$/m);
    expect(text).toMatch(/^ran at serializable \(1 round, 2 transactions\):\n {2}serializable +holds$/m);
    expect(text).toMatch(/^round 0, ran at read-committed: G-single-item /m);
  });

  it('calls it violated for a round at that level, and for one at a stronger level', async () => {
    for (const asked of ['repeatable-read', 'serializable']) {
      const { exit, levels } = await asJson(recordOf(['read-committed', SERIAL], ['serializable', LOST_UPDATE]), '--level', asked);
      expect([exit, levels]).toEqual([1, { [asked]: false }]);
    }
  });

  it('says that no round ran at the level or above, and does not pass', async () => {
    const { exit, levels, reasons, ran } = await asJson(
      recordOf(['read-committed', SERIAL]),
      '--level',
      'serializable',
      '--level',
      'read-committed',
    );
    expect([exit, levels]).toEqual([3, { serializable: 'unknown', 'read-committed': true }]);
    expect(reasons['serializable']).toMatch(/no round ran at serializable or at a level that includes it \(they ran at read-committed/);
    expect(ran[0]?.levels).toEqual({ serializable: true, 'read-committed': true });
    expect((await command(recordOf(['read-committed', SERIAL]), '--level', 'serializable')).text).toMatch(/^ran at read-committed /m);
  });

  it('answers what the rounds ran at where nothing is asked', async () => {
    const { exit, levels, ran } = await asJson(recordOf(['read-committed', LOST_UPDATE]));
    expect(exit).toBe(0);
    expect(levels).toEqual({ 'read-uncommitted': true, 'read-committed': true });
    expect(ran[0]?.levels).toMatchObject({ 'read-committed': true, serializable: false });
  });

  it('shows apart what rounds of a level that cannot be compared say', async () => {
    const { exit, levels, ran } = await asJson(recordOf(['serializable', SERIAL]), '--level', 'rc');
    expect([exit, levels, ran[0]?.levels]).toEqual([3, { rc: 'unknown' }, { rc: true }]);
  });

  it('says that the checkers of what ran do not answer a level', () => {
    const ran = new RanLevels();
    ran.add('serializable', 2, [{ level: 'serializable', answer: true }]);
    expect(ran.answers(['serializable', 'cursor-stability'])).toEqual([
      { level: 'serializable', answer: true },
      { level: 'cursor-stability', answer: 'unknown', reason: 'the checkers of what ran in these rounds do not answer cursor-stability' },
    ]);
  });

  it('shows an anomaly of the round that counts although a weaker one had its like first', async () => {
    const file = recordOf(['read-committed', LOST_UPDATE], ['serializable', LOST_UPDATE]);
    for (const [report, least] of [
      ['first', 1],
      ['class', 2],
    ] as const) {
      const { anomalies } = await checkFile(file, { format: 'auto', report, allowCut: false, progress: () => undefined });
      const of = (level: Level): readonly string[] => anomalies.filter(({ ran }) => ran === level).map((anomaly) => anomaly.class);
      expect(of('serializable').length).toBeGreaterThanOrEqual(least);
      expect(of('serializable')).toEqual(of('read-committed'));
    }
  });
});

/** A writes two objects between the two reads of B. */
function tornRound(round: Level, reader?: Level): string {
  const file = join(folder, `history-${files++}.ndjson`);
  let at = 0;
  const statement = (s: number, t: number, n: number, k: SentKind, more: Partial<InvokeEvent>, reply: Partial<OkEvent>): HistoryEvent[] => [
    { e: 'invoke', s, t, n, k, at: at++, sql: `${k} ${t}.${n}`, ...more },
    { e: 'ok', s, t, n, at: at++, ...reply },
  ];
  const read = (n: number, key: number, value: string): HistoryEvent[] =>
    statement(1, 2, n, 'select', { op: { do: 'read', key } }, { rows: 1, result: [[value]] });
  const write = (n: number, key: number): HistoryEvent[] =>
    statement(0, 1, n, 'update', { op: { do: 'write', key, value: 5 + key }, seq: n }, { rows: 1 });
  const events: HistoryEvent[] = [
    { e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 't', seed: 's' },
    { ...roundOf(0, round), contents: 'values' },
    ...statement(1, 2, 0, 'begin', reader === undefined ? {} : { level: reader }, {}),
    ...read(1, 1, '0'),
    ...statement(0, 1, 0, 'begin', {}, {}),
    ...write(1, 1),
    ...write(2, 2),
    ...statement(0, 1, 3, 'commit', {}, { tag: 'commit' }),
    ...read(2, 2, '7'),
    ...statement(1, 2, 3, 'commit', {}, { tag: 'commit' }),
    { e: 'close', round: 0, at: at++, complete: true },
  ];
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}

describe('each transaction at its own level', () => {
  it('is answered beside the others where a transaction names one, and the round says it of the rest', async () => {
    const { levels } = await asJson(tornRound('serializable', 'read-committed'));
    expect(levels).toMatchObject({ serializable: false, own: true });
    const torn = await asJson(tornRound('read-committed', 'snapshot-isolation'));
    expect(torn.levels).toMatchObject({ 'read-committed': true, own: false });
    expect(torn.anomalies.find(({ class: name }) => name === 'NotAtOwnLevels')).toMatchObject({ levels: ['own'], transactions: [2, 1] });
  });

  it('is answered by the level of the round where it is asked for and none is named', async () => {
    expect((await asJson(tornRound('read-committed'))).levels).not.toHaveProperty('own');
    expect((await asJson(tornRound('read-committed'), '--level', 'own')).levels).toEqual({ own: true });
    expect((await asJson(tornRound('serializable'), '--level', 'own')).levels).toEqual({ own: false });
  });

  it('is derived again by verify, in the ids of the round', async () => {
    const file = tornRound('read-committed', 'snapshot-isolation');
    const [report, whole] = [join(folder, 'report.json'), await command(file, '--level', 'own', '--json')];
    writeFileSync(report, whole.text);
    const yes = await run(verifyCommand, 'verify', report, '--history', file);
    const expected = '(NotAtOwnLevels, round 0): yes\n  follows: transaction 2 -rw-> transaction 1 -wr-> transaction 2\n';
    expect([yes.exit, yes.text]).toEqual([0, expect.stringContaining(expected)]);
    expect(yes.text).toContain('anomaly 1 (G-single-item, round 0): not derived again');
    const other = await run(verifyCommand, 'verify', report, '--history', tornRound('snapshot-isolation', 'read-committed'));
    expect([other.exit, other.text]).toEqual([1, expect.stringContaining('at rc, has not seen transaction 1')]);
    writeFileSync(report, whole.text.replaceAll('"round":0', '"round":1'));
    expect((await run(verifyCommand, 'verify', report, '--history', file)).text).toContain('the history has no such round of registers');
  });

  it('stays open for levels that have no such meaning, and for rounds of rows', async () => {
    const { exit, reasons } = await asJson(tornRound('repeatable-read'), '--level', 'own');
    expect(exit).toBe(3);
    expect(reasons['own']).toContain('is at repeatable-read, which has no meaning beside other levels');
    expect((await asJson(recordOf(['serializable', SERIAL]), '--level', 'own')).reasons['own']).toContain('for rounds of registers');
  });
});
