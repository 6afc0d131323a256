/**
 * `run --explore`, which is `npm start`: rounds, then every order of small programs on the same server, one summary, one folder;
 * ended in order by Ctrl-C in either part, and a server that is lost in one costs the other nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../core/base/index.ts';
import type { ListedFinding, Report } from '../../core/verdict/index.ts';
import { DIALECTS } from '../../dialects/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploredAfter, worseExit } from '../../src/app/commands/run-explored.ts';
import type { ExplorePlan } from '../../src/app/commands/run-explored.ts';
import type { Target } from '../../src/target/target.ts';
import { exploreLevel } from '../../src/explore/explore.ts';
import { knownPrograms } from '../../src/explore/known.ts';
import { Progress } from '../../src/process/progress.ts';
import { cli, startCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { until } from './process-watch.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

const PLAN: ExplorePlan = {
  byUrl: true,
  levels: [],
  duration: 1_000,
  seed: '1',
  failOn: 'bug',
  known: new Set(),
  signal: new AbortController().signal,
  progress: new Progress(process.stderr, true),
};

/** What the surroundings of a test may say of colours, a CI's own `CI` among it. */
const ASKS_FOR_NO_COLOUR = ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI'].map((name) => `-u ${name}`).join(' ');

/** Lines that a terminal shows whole, and few of them; at their end what to do next, and the verdict. */
function expectBrief(stdout: string, columns: number): void {
  const lines = stdout.split('\n').slice(0, -1);
  expect(lines.length, stdout).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => displayWidth(line) > columns && !line.startsWith('Report: '))).toEqual([]);
  const next = lines.indexOf('Next:');
  expect(lines[next + 1], stdout).toMatch(/^ {4}(npx )?anomalist (replay|explore|run) /);
  expect(lines.slice(next + 2).join('\n')).toMatch(
    /^(?: {8}.*\n)*(?:.*\n)*(BUG|INCONCLUSIVE|UNDOCUMENTED|KNOWN BUG|NO BUG SEEN|NOTHING SEEN): .*(\n {2}.*)*$/,
  );
}

describeEachServer(
  'run --explore',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const runs = (): readonly string[] => readdirSync(suite.folder);
    const words = (...more: readonly string[]): readonly string[] => [
      'run',
      '--url',
      suite.server.url,
      '--seed',
      '7',
      '--reduce-seconds',
      '0',
      '--out',
      suite.folder,
      ...more,
    ];

    async function ours(): Promise<readonly string[]> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        const { rows } = await connection.query('SELECT schema_name FROM information_schema.schemata');
        return rows.map(([name]) => name ?? '').filter((name) => name.startsWith('anomalist_'));
      } finally {
        await connection.end();
      }
    }

    it('leaves both reports in one folder, each with a link to the other, and ends with the worse of both', async () => {
      const { code, stdout, stderr } = await cli(words('--cases', '1', '--explore', '2s'));
      const folder = join(suite.folder, runs().at(-1)!);
      const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
      const explored = JSON.parse(read('explore.json')) as ExploreReport;
      const rounds = JSON.parse(read('manifest.json')) as {
        readonly levels: readonly { readonly standing: string }[];
        readonly command: string;
      };
      const found = JSON.parse(read('findings.json')) as { readonly findings: readonly (ListedFinding & { readonly verdict: string })[] };

      expect(explored.seed).toBe('7');
      expect(explored.levels.map(({ level }) => level)).toEqual(['serializable']);
      expect(explored.levels[0]!.orders).toBeGreaterThan(0);
      expect(rounds.command).toMatch(/ --cases 1 --explore 2s$/);
      const bug = found.findings.some(({ verdict }) => verdict === 'bug');
      const ofRounds = bug ? 1 : rounds.levels.some(({ standing }) => standing === 'inconclusive') ? 3 : 0;
      expect(code, stderr).toBe(worseExit(ofRounds, exploreExit(explored)));
      expect(read('report.html')).toContain('href="explore.html"');
      expect(read('explore.html')).toContain('href="report.html"');
      expectBrief(stdout, 80);
      expect(stdout).toMatch(/\nReport: .*report\.html\nReport: .*explore\.html\nNext:\n/);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${explored.levels[0]!.orders.toLocaleString('en-US')} orders`);
      expect(stderr.match(/seed 7/g)).toHaveLength(1);
      expect(await ours()).toEqual([]);
    });

    it.skipIf(spawnSync('script', ['--version']).status !== 0).each([
      [80, '', true],
      [200, '', true],
      [80, 'NO_COLOR=1', false],
    ])('fits a terminal of %i columns (%s), the verdict last', (columns, set, isColoured) => {
      const run = ['dist/app/cli.js', ...words('--cases', '1', '--level', 'serializable')].map((word) => `"${word}"`).join(' ');
      const { stdout } = spawnSync(
        'script',
        [
          '-qec',
          `stty cols ${columns} rows 24; env ${ASKS_FOR_NO_COLOUR} TERM=xterm ${set} "${process.execPath}" ${run} 2>/dev/null`,
          '/dev/null',
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
      expect(stdout.includes('\u001b[')).toBe(isColoured);
      expectBrief(stripVTControlCharacters(stdout).replaceAll('\r\n', '\n'), columns);
    });

    it('is one JSON object with both parts', async () => {
      const { stdout } = await cli(words('--cases', '1', '--explore', '500ms', '--level', 'repeatable-read', '--json'));
      expect(JSON.parse(stdout)).toMatchObject({
        levels: { 'repeatable-read': expect.anything() as unknown },
        explored: { page: 'explore.html', levels: [{ level: 'repeatable-read' }] },
      });
    });

    it('explores the transactions of a file where it runs one', async () => {
      const { stdout } = await cli(words('--cases', '1', '--explore', '500ms', '--workload', 'booking', '--json'));
      const { explored } = JSON.parse(stdout) as { readonly explored: Report['explored'] };
      expect(explored!.levels[0]!.coverage.pairs).toBe(0);
      const [report] = runs()
        .slice(-1)
        .map((run) => JSON.parse(readFileSync(join(suite.folder, run, 'explore.json'), 'utf8')) as ExploreReport);
      expect(report!.levels[0]!.together!.map(({ name }) => name)).toContain('book + book');
    });

    it.each([
      ['the rounds', ['--duration', '10m'], / seed 7/, /Not run: interrupted/],
      ['the small programs', ['--cases', '1'], /every order of small programs/, /(Not run|Ended early): interrupted/],
    ] as const)('ended by Ctrl-C in %s drops everything and reports what was seen', async (_, budget, begun, said) => {
      const { child, done } = startCli(words(...budget, '--explore', '10m'));
      let heard = '';
      child.stderr!.on('data', (text: string) => (heard += text));
      expect(await until(() => child.exitCode !== null || begun.test(heard))).toBe(true);
      child.kill('SIGINT');
      const { code, stdout, stderr } = await done;
      expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted; ending in order') as string]);
      const page = /^Report: (.*report\.html)$/m.exec(stdout)?.[1];
      expect(readFileSync(page!, 'utf8')).toMatch(said);
      expect(stdout).toMatch(/^(INCOMPLETE|INCONCLUSIVE|UNDOCUMENTED|KNOWN BUG|BUG): /m);
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/(ended early after|were not run: interrupted).* this covers only the part that ran/);
      expect(await ours()).toEqual([]);
    });

    it('has findings that a file accepts: explore, run --explore and merge alike', async () => {
      const level = dialect.levels.find(({ level: name }) => name === 'repeatable-read')?.level ?? dialect.levels[0]!.level;
      const folder = (name: string): string => join(suite.folder, 'accepted', name);
      let seed = 0;
      const explore = (...more: readonly string[]): Promise<Awaited<ReturnType<typeof cli>>> =>
        cli(['explore', '--url', suite.server.url, '--level', level, '--seed', String(seed), '--programs', '12', ...more]);
      let first = await explore('--out', folder('first'), '--fail-on', 'new');
      for (const each of raceSeeds()) {
        if (first.code === 1) break;
        seed = Number(each);
        first = await explore('--out', folder('first'), '--fail-on', 'new');
      }
      const { levels } = JSON.parse(readFileSync(join(folder('first'), 'explore.json'), 'utf8')) as ExploreReport;
      const families = levels.flatMap((each) => each.families);
      expect([first.code, families.length > 0], first.stdout).toEqual([1, true]);
      for (const { fingerprint } of families) expect(fingerprint).toMatch(/^explored\|/);
      const [nothing, own] = [join(suite.folder, 'nothing.json'), join(folder('first'), 'explore.json')];
      writeFileSync(nothing, JSON.stringify({ levels: [{ families: [] }] }));
      const again = await explore('--known', own, '--fail-on', 'new', '--json');
      const marked = (JSON.parse(again.stdout) as ExploreReport).levels.flatMap((each) => each.families);
      expect([again.code, marked.every(({ accepted }) => accepted === true)], again.stderr).toEqual([0, true]);
      expect((await explore('--known', nothing, '--fail-on', 'new')).code).toBe(1);

      const merge = (...more: readonly string[]): Promise<Awaited<ReturnType<typeof cli>>> =>
        cli(['merge', folder('first'), '--out', folder('merged'), '--fail-on', 'new', ...more]);
      expect([(await merge('--known', own)).code, (await merge('--known', nothing)).code]).toEqual([0, 1]);
    });

    const cases = knownPrograms().filter(({ dbms }) => dbms === dialect.name);
    it.skipIf(cases.length === 0)('names a finding that is a case of the corpus', async () => {
      for (const { file, level, skeletons = ['write skew'], worlds = ['two rows'], reads, someRead, writes = ['delete'] } of cases) {
        const looks = reads ?? someRead ?? ['point'];
        const catalogue = new Catalogue(createRandom('known'), { capabilities: dialect.capabilities, canForceIndexes: false });
        const made = { skeleton: skeletons[0]!, world: worlds[0]! };
        const slots = Object.keys(catalogue.program(made).made).filter((slot) => !(slot in made));
        const forms = slots.map((slot) => [slot, slot.startsWith('reads') ? looks[0]! : writes[0]!]);
        const program = catalogue.program({ ...made, ...Object.fromEntries(forms) });
        const all = [program];
        const { families } = await exploreLevel({
          dialect,
          url: suite.server.url,
          level: dialect.levels.find((each) => each.level === level)!,
          namespace: 'anomalist_explore_known',
          workers: 1,
          orders: 'pruned',
          random: createRandom('known'),
          signal: PLAN.signal,
          source: {
            allFixtures: [program.fixture],
            next: () => all.pop(),
            coverage: () => ({ pairs: 0, covered: 0 }),
            nameOf: (each) => catalogue.nameOf(each),
          },
          judge: () => ({ verdict: 'bug' }),
          enough: () => false,
          commandFor: () => '',
          heard: () => {},
        });
        expect(families.map(({ known }) => known)).toEqual([{ file, programs: 1 }]);
        expect(families[0]!.fingerprint).toMatch(new RegExp(`^explored\\|serial orders\\|.*\\|${file}$`));
      }
    });
  },
  { fits: ({ ranLive }) => ranLive, once: true },
);

describe('small programs after the rounds', () => {
  const dialect = DIALECTS[0]!;
  const gone: Target = { name: 'gone', dialect, urls: ['postgres://nobody@127.0.0.1:1/none'], words: '--url gone', close: async () => {} };
  const ran = (endedEarly?: string): Report => ({ ...(endedEarly !== undefined && { endedEarly }) }) as unknown as Report;

  it('are not begun where the rounds lost their server', async () => {
    const nobody = { ...gone, dialect: {} } as unknown as Target;
    const { part, files, exit } = await exploredAfter(ran('gone'), nobody, PLAN);
    expect([part, files, exit]).toEqual([{ levels: [], cutShort: 'the rounds before it ended early: gone' }, {}, 2]);
  });

  it('that find no server cost the run nothing but its exit code', async () => {
    const { part, files, exit } = await exploredAfter(ran(), gone, PLAN);
    expect(part).toEqual({ levels: [], cutShort: expect.stringMatching(/127\.0\.0\.1/) as string });
    expect([files, exit]).toEqual([{}, 2]);
  });

  it('end with the worse code of both', () => {
    expect([worseExit(0, 0), worseExit(0, 3), worseExit(2, 3), worseExit(2, 1), worseExit(1, 0), worseExit(130, 1)]).toEqual([
      0, 3, 2, 1, 1, 130,
    ]);
  });
});
