/** Double booking as PostgreSQL's users write it: OVERLAPS, ranges beside &&, and the exclusion constraint that forbids it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport, TriedCure } from '../../reports/index.ts';
import type { HistoryEvent } from '../../core/history/index.ts';
import { instrument } from '../../instrument/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../schema-gen/index.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const UNSAFE = readFileSync(fileURLToPath(new URL('../samples/double-booking-by-time.sql', import.meta.url)), 'utf8');
const COMPARED = 'starts_at < :to AND ends_at > :from';
const EXCLUDED = 'EXCLUDE USING gist (room_id WITH =, tsrange(starts_at, ends_at) WITH &&)';

function excluding(constraint: string, text: string = UNSAFE): string {
  return text.replace('\n);\n-- @data', `,\n  ${constraint}\n);\n-- @data`);
}

describeEachServer(
  'ranges',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    const explored = async (text: string, cures = false): Promise<ExploreReport> => {
      const file = join(suite.folder, 'ranges.sql');
      writeFileSync(file, text);
      return exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: ['read-committed'], orders: 'pruned', workers: 2, draws: 1, cures },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    };

    it.each([
      ['OVERLAPS', '(starts_at, ends_at) OVERLAPS (:from, :to)'],
      ['OVERLAPS with an interval', "(starts_at, ends_at) OVERLAPS (:from, interval '2 hours')"],
      ['ranges', 'tsrange(starts_at, ends_at) && tsrange(:from, :to)'],
    ])('find the double booking that is looked for by %s', async (_, condition) => {
      expect(UNSAFE).toContain(COMPARED);
      const report = await explored(UNSAFE.replace(COMPARED, condition));
      const [pair] = report.levels[0]!.together!;
      expect([pair!.answer, pair!.breaks], exploreText(report)).toEqual(['not safe', ['no-overlap']]);
    });

    it.each([
      ['as it is written', EXCLUDED, 'int NOT NULL'],
      ['of a column that may be NULL', EXCLUDED, 'int'],
      ['of a range whose ends are in it', EXCLUDED.replace('ends_at)', "ends_at, '[]')"), 'int NOT NULL'],
    ])('call it safe with an exclusion constraint %s', async (_, constraint, room) => {
      const report = await explored(excluding(constraint).replace('room_id int NOT NULL', `room_id ${room}`));
      const [pair] = report.levels[0]!.together!;
      expect([pair!.answer, pair!.breaks], exploreText(report)).toEqual(['safe', []]);
    });

    it('offer the constraint that stops it, and not the one that is there', async () => {
      const report = await explored(UNSAFE, true);
      const of = ({ cures }: { readonly cures?: readonly TriedCure[] }): readonly TriedCure[] =>
        cures!.filter(({ what }) => what.startsWith('EXCLUDE'));
      const [cure, another] = of(report.levels[0]!.together![0]!);
      const about = exploreText(report);
      expect(another, about).toBeUndefined();
      expect(cure, about).toMatchObject({
        what: 'EXCLUDE (room_id WITH =, tsrange(starts_at, ends_at) WITH &&) on bookings',
        stops: true,
        sql: ['CREATE EXTENSION IF NOT EXISTS btree_gist', `ALTER TABLE bookings ADD CONSTRAINT bookings_tried ${EXCLUDED}`],
      });
      expect(cure!.after, about).toEqual({ differing: 0, programs: cure!.before.programs });
      // The constraint of one booking forbids nothing, and the race stays.
      const beside = await explored(excluding(EXCLUDED.replace('room_id', 'id')), true);
      expect(of(beside.levels[0]!.together![0]!)).toEqual([]);
    });

    it('leave in the record that the constraint looked for rows, where an end of the range or the room is written', async () => {
      const text = excluding(EXCLUDED, UNSAFE.replace('ends_at timestamp NOT NULL,', 'ends_at timestamp NOT NULL,\n  note varchar(9),'))
        .replace("'2026-01-01 07:00')", "'2026-01-01 07:00', 'a')")
        .replace(/SELECT count[^;]*;\nIF[^;]*;/, 'SELECT count(*) AS n FROM bookings WHERE (starts_at, ends_at) OVERLAPS (:from, :to);')
        .replace('(:id, :room, :from, :to)', '(:id, :room, :from, :to, NULL)')
        .replace(
          '-- @invariant',
          "UPDATE bookings SET note = 'b' WHERE id = 1;\nUPDATE bookings SET ends_at = '2026-01-01 07:30' WHERE id = 1;\n-- @invariant",
        );
      const { templates, refused } = importWorkload(parseWorkloadFile(text).file, await dialect.importer!(dialect.capabilities));
      expect(refused).toEqual([]);
      const events: HistoryEvent[] = [];
      const recorder = new Recorder(undefined, { tool: 'test', seed: '1' });
      const add = recorder.add.bind(recorder);
      recorder.add = (event) => (events.push(event), add(event));
      const sizes = { mode: 'schedule', sessions: { min: 1, max: 1 }, transactions: { min: 1, max: 1 } } as const;
      const outcome = await runRound({
        round: 0,
        probedCase: instrument(workloadCase('1', templates, sizes), {
          mode: 'exact',
          capabilities: dialect.capabilities,
          level: 'read-committed',
          images: true,
        }),
        dialect,
        level: dialect.levels.find(({ level }) => level === 'read-committed')!,
        urls: [suite.server.url],
        mode: 'stress',
        namespace: 'anomalist_ranges_looks',
        recorder,
      });
      expect(outcome.complete, outcome.reason).toBe(true);
      // The INSERT and the UPDATE of an end look for rows, and the UPDATE of the note does not.
      const looks = events.flatMap((event) => (event.e === 'look' && event.why === 'unique' && !('yes' in event) ? [event.n] : []));
      expect(new Set(looks)).toEqual(new Set([2, 4]));
      // The condition was evaluated by the server for every version.
      expect(events.filter(({ e }) => e === 'evaluated')).toMatchObject([{ predicates: expect.any(Number), skipped: {} }]);
      expect(events.some((event) => event.e === 'predicate' && event.table === 'bookings')).toBe(true);
    });
  },
  { fits: (dialect) => dialect.capabilities.ranges === true, once: true },
);
