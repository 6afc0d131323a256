/**
 * The key-value workloads on one server a protocol, uninstrumented: each finds what REPEATABLE READ is known for there,
 * and nothing at SERIALIZABLE (lwt nothing anywhere); a finding carries the command that makes its round again, and it replays.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Level, PromiseVerdict } from '../../core/level/index.ts';
import type { ReportJson } from '../../reports/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { eventsOf } from './history-events.ts';
import { growingSeconds, raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** Few objects and many sessions: rounds of a second or two in which nearly everybody meets everybody. */
const WORKLOADS = {
  mini: ['--objects', '4', '--transactions', '60'],
  general: ['--objects', '16', '--transactions', '25', '--operations', '6', '--distribution', 'zipfian'],
  append: ['--objects', '8', '--transactions', '40', '--distribution', 'hotspot'],
  'twitter-kv': ['--objects', '40', '--transactions', '20'],
  'rubis-kv': ['--objects', '40', '--transactions', '20', '--distribution', 'zipfian'],
  'tpcc-kv': ['--objects', '60', '--transactions', '15'],
} as const;
/** What they must show is looked for until it did; the values of the others repeat. */
const UNIQUE = ['mini', 'general', 'append'] as const;
const STRONG = ['serializable', 'snapshot-isolation'] as const;
const REPEATED = ['twitter-kv', 'rubis-kv', 'tpcc-kv'] as const;

/** Tried until what must show did, and occurred again: which transactions meet is the sessions' race. */
const SEEDS = raceSeeds(5, 6, 7, 8);

/** What REPEATABLE READ must show, and what it must not. */
const REPEATABLE: readonly { readonly target: RegExp; readonly shows: readonly string[]; readonly never: readonly string[] }[] = [
  { target: /^(postgres|cockroachdb)/, shows: ['write skew'], never: ['lost update'] },
  { target: /^mariadb@(1[2-9]|11\.8)/, shows: [], never: ['lost update'] },
  { target: /./, shows: ['lost update'], never: [] },
];

describeEachServer(
  'key-value workloads',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    /** Both levels in one run: a process of its own takes longer to begin than a round. */
    async function run(
      workload: keyof typeof WORKLOADS,
      levels: readonly Level[],
      seed: string,
      reduceSeconds: number,
    ): Promise<ReportJson> {
      const { code, stdout, stderr } = await cli([
        'run',
        '--url',
        suite.server.url,
        '--workload',
        workload,
        ...WORKLOADS[workload],
        ...levels.flatMap((level) => ['--level', level]),
        '--cases',
        '1',
        '--seed',
        seed,
        '--sessions',
        '8',
        '--reduce-seconds',
        String(reduceSeconds),
        '--out',
        suite.folder,
        '--json',
      ]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as ReportJson;
    }

    const LEVELS: readonly Level[] = (['repeatable-read', 'serializable'] as const).filter((level) =>
      dialect.levels.some((each) => each.level === level && each.offByDefault !== true),
    );
    const { shows, never } = REPEATABLE.find((row) => row.target.test(target))!;

    it('lwt: compare-and-sets of single rows are linearizable at every level, whether they find what they expect or not', async () => {
      const { code, stdout, stderr } = await cli([
        'run',
        '--url',
        suite.server.url,
        '--workload',
        'lwt',
        '--objects',
        '4',
        '--transactions',
        '100',
        '--cases',
        '1',
        '--seed',
        '5',
        '--out',
        suite.folder,
        '--json',
      ]);
      expect(code, stderr).toBe(0);
      const { findings, levels, notes, runId } = JSON.parse(stdout) as ReportJson;
      expect(findings).toEqual([]);
      expect(notes).toEqual([]);
      expect(Object.values(levels).every((answer) => answer === true)).toBe(true);
      const events = eventsOf(join(suite.folder, runId, 'history.ndjson.gz'));
      const sets = new Set(events.flatMap((event) => (event.e === 'invoke' && event.k === 'update' ? [`${event.t} ${event.n}`] : [])));
      const changed = events.flatMap((event) => (event.e === 'ok' && sets.has(`${event.t} ${event.n}`) ? [event.rows] : []));
      const planned = events.flatMap((event) => (event.e === 'invoke' && event.p !== undefined ? [event.op] : []));
      for (const what of ['read', 'write'] as const) expect(planned.filter((op) => op?.do === what).length).toBeGreaterThan(40);
      expect(planned).not.toContain(undefined);
      for (const rows of [0, 1]) expect(changed.filter((each) => each === rows).length).toBeGreaterThan(20);
      expect(changed.every((rows) => rows === 0 || rows === 1)).toBe(true);
    });

    it('--concurrency: of 8 sessions a quarter are inside a transaction at once, and all get their turn', async () => {
      const { code, stdout, stderr } = await cli([
        'run',
        '--url',
        suite.server.url,
        '--workload',
        'mini',
        '--level',
        LEVELS.at(-1)!,
        '--sessions',
        '8',
        '--concurrency',
        '25',
        '--transactions',
        '20',
        '--cases',
        '1',
        '--seed',
        '5',
        '--reduce-seconds',
        '0',
        '--out',
        suite.folder,
        '--json',
      ]);
      expect(code, stderr).toBe(0);
      const { runId } = JSON.parse(stdout) as ReportJson;
      const events = eventsOf(join(suite.folder, runId, 'history.ndjson.gz'));
      const ended = new Map<number, number>();
      let inside = 0;
      let most = 0;
      for (const event of events) {
        if (event.e === 'invoke' && event.k === 'begin') most = Math.max(most, ++inside);
        if (event.e !== 'end') continue;
        inside--;
        ended.set(event.s, (ended.get(event.s) ?? 0) + 1);
      }
      expect(most).toBe(2);
      expect([...ended.values()].filter((count) => count >= 20)).toHaveLength(8);
    });

    it.each(REPEATED)('%s: values that repeat are decided at every level, and hold at SERIALIZABLE', async (workload) => {
      const { findings, levels, notesData, runId } = await run(workload, LEVELS, '5', 0);
      expect(findings.filter((finding) => finding.level === 'serializable' && finding.levels.includes('serializable'))).toEqual([]);
      expect(findings.filter(({ verdict }) => verdict === ('bug' satisfies PromiseVerdict))).toEqual([]);
      expect(notesData?.filter(({ code }) => code === 'checkers-disagree')).toEqual([]);
      expect(levels['serializable']).toBe(true);
      for (const level of LEVELS) expect(levels[level], level).not.toBe('unknown');
      const history = join(suite.folder, runId, 'history.ndjson.gz');
      const values = new Map<string, number>();
      let unchanged = 0;
      for (const event of eventsOf(history)) {
        if (event.e === 'ok' && event.changed === 0) unchanged++;
        if (event.e === 'round') expect(event.contents).toBe('repeated');
        if (event.e !== 'invoke' || event.op?.do !== 'write') continue;
        expect(event.sql ?? '', 'a number, as an application sends it').not.toMatch(/coalesce|mod/i);
        const name = `${event.op.key} ${event.op.value}`;
        values.set(name, (values.get(name) ?? 0) + 1);
      }
      expect([...values.values()].filter((times) => times > 2).length).toBeGreaterThan(5);
      // there an UPDATE to the value that is there makes no version
      expect(unchanged > 0).toBe(/^(mysql|mariadb)/.test(target));
      const { code, stdout, stderr } = await cli(['check', history, ...STRONG.flatMap((level) => ['--level', level]), '--json']);
      expect([0, 1], stderr).toContain(code);
      const { ran } = JSON.parse(stdout) as {
        readonly ran: readonly { readonly level: Level; readonly levels: Record<string, unknown> }[];
      };
      expect(ran.map(({ level }) => level)).toEqual(LEVELS);
      for (const { level, levels: answers } of ran) {
        expect(Object.keys(answers).sort()).toEqual([...STRONG]);
        expect(Object.values(answers), level).not.toContain('unknown');
      }
    });

    it.each(UNIQUE)('%s finds what REPEATABLE READ is known for, and nothing at SERIALIZABLE', async (workload) => {
      const replays = workload === 'mini' && shows.length > 0;
      let shapes: string[] = [];
      let again = false;
      let folder = '';
      for (const [attempt, seed] of SEEDS.entries()) {
        // On a slow machine the first try may run out of its time.
        const { findings, levels, notesData, runId } = await run(workload, LEVELS, seed, replays ? growingSeconds(5, attempt) : 0);
        shapes = findings.filter(({ level }) => level === 'repeatable-read').flatMap((finding) => finding.shapes);
        for (const shape of never) expect(shapes).not.toContain(shape);
        expect(findings.filter((finding) => finding.level === 'serializable' && finding.levels.includes('serializable'))).toEqual([]);
        expect(levels['serializable']).toBe(true);
        expect(findings.filter(({ verdict }) => verdict === ('bug' satisfies PromiseVerdict))).toEqual([]);
        expect(notesData?.filter(({ code }) => code === 'checkers-disagree')).toEqual([]);
        for (const { replay } of findings)
          if (!replay.includes(' replay ')) expect(replay).toContain(`--workload ${workload} --objects ${WORKLOADS[workload][1]}`);
        again = findings.some(({ reproduced }) => reproduced !== null && reproduced.seen > 0);
        folder = join(suite.folder, runId);
        if (shows.every((shape) => shapes.includes(shape)) && (!replays || again)) break;
      }
      if (LEVELS.includes('repeatable-read')) expect(shapes).toEqual(expect.arrayContaining([...shows]));
      if (!replays) return;
      expect(again).toBe(true);
      const { code, stdout, stderr } = await cli(['verify', folder]);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/as found: not derived again/);
      expect(stdout).toMatch(/as replayed: yes/);
    });
  },
  { protocol: true },
);
