/**
 * The corpus on one server a protocol, as `anomalist replay corpus/` runs it: each case occurs exactly where the table of
 * its schedule says (matrix-expected.ts), whatever occurs is allowed by the vendor's documents, and nothing that was
 * found occurs at SERIALIZABLE. What explorations found (corpus/explored) is what the documents do not allow: it occurs
 * where it was found, and at the levels that EXPLORED says.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { join } from 'node:path';
import { Progress } from '../../src/process/progress.ts';
import { Replayer } from '../../src/reproduce/index.ts';
import { readReplayFiles, replayFiles } from '../../src/replay/index.ts';
import type { ReplayedFile } from '../../src/replay/index.ts';
import { openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { describeEachServer } from './each-server.ts';
import type { ServerAtHand } from './each-server.ts';
import { EXPECTED } from './matrix-expected.ts';

const CORPUS = join(import.meta.dirname, '../../corpus');
const SERVERS = ['postgres@18', 'mysql@9.7', 'mariadb@10.11', 'mariadb@11.8'];

const DECIDED: ReadonlySet<string> = new Set(['occurs', 'error', 'blocking', 'not seen']);

const OF_INNODB = ['read-uncommitted', 'read-committed'];
/** Where each occurs; a server that matches no row does not know its SQL. The first row that matches counts. */
const EXPLORED: Readonly<Record<string, readonly { readonly servers: RegExp; readonly occurs: readonly string[] }[]>> = {
  'upsert-of-nothing.spec': [{ servers: /^postgres/, occurs: ['read-committed', 'repeatable-read', 'serializable'] }],
  'cascade-without-child.spec': [{ servers: /^postgres/, occurs: ['read-committed', 'repeatable-read', 'serializable'] }],
  'taken-key.spec': [{ servers: /^postgres/, occurs: ['read-committed', 'repeatable-read', 'serializable'] }],
  // No row: what speaks of ctid is not judged, since an address is the server's own.
  'tid-range-scan.spec': [],
  'savepoint-first.spec': [
    { servers: /^postgres/, occurs: ['read-committed'] },
    { servers: /^(mysql|mariadb)/, occurs: [...OF_INNODB, 'repeatable-read', 'serializable'] },
  ],
  'count-by-index.spec': [
    { servers: /^postgres/, occurs: ['read-committed'] },
    { servers: /^(mysql|mariadb)/, occurs: [...OF_INNODB, 'repeatable-read'] },
  ],
  'count-without-index.spec': [
    { servers: /^postgres/, occurs: ['read-committed'] },
    { servers: /^mariadb@11\.8/, occurs: OF_INNODB },
    { servers: /^(mysql|mariadb)/, occurs: [...OF_INNODB, 'repeatable-read'] },
  ],
};

const BUGS: readonly (readonly [file: string, level: string, servers: RegExp])[] = [
  ['upsert-of-nothing.spec', 'serializable', /^postgres/],
  ['cascade-without-child.spec', 'serializable', /^postgres/],
  ['savepoint-first.spec', 'serializable', /^(mysql|mariadb)/],
  ['count-by-index.spec', 'repeatable-read', /^mariadb@11\.8/],
];

describeEachServer('corpus', suite, { protocol: true, fits: ({ ranLive }) => ranLive });

function suite({ target: name }: ServerAtHand): void {
  if (!SERVERS.includes(name)) {
    it.skip(`${name}: EXPLORED says nothing of it`, () => {});
    return;
  }
  let target: Target;
  let replayer: Replayer;
  let replayed: readonly ReplayedFile[];

  beforeAll(async () => {
    target = await openTarget([], name);
    replayer = new Replayer(target);
    const { files } = readReplayFiles(CORPUS);
    replayed = await replayFiles(files, {
      replayers: [replayer],
      levels: [],
      times: 1,
      signal: new AbortController().signal,
      progress: new Progress(process.stderr, true),
    });
    expect(replayed.length).toBe(files.length);
  });

  afterAll(async () => {
    await replayer?.close();
    await target?.close();
  });

  const cells = (folder: string) =>
    replayed
      .filter(({ path }) => path.includes(`/${folder}/`))
      .flatMap(({ name: file, cells: row }) => row.map((cell) => ({ file, cell })));

  it('was run at every level, but for files that are written for another DBMS', () => {
    const left = replayed.flatMap(({ name: file, cells: row }) =>
      row.filter(({ code }) => !DECIDED.has(code!)).map(({ level, outcome }) => `${file} at ${level}: ${outcome}`),
    );
    const ofPostgres = (line: string): boolean =>
      /^(upsert-of-nothing|cascade-without-child|taken-key|tid-range-scan).*: it is written for postgres$/.test(line);
    const ofAddresses = (line: string): boolean =>
      /^tid-range-scan.*: not judged: .*it asks the server for what it keeps for itself$/.test(line);
    expect(left.filter((line) => (name.startsWith('postgres') ? !ofAddresses(line) : !ofPostgres(line)))).toEqual([]);
  });

  it('shows each schedule at the levels that its table names, and at no other', async () => {
    const { configuration } = await replayer.server();
    const expected = EXPECTED.find(
      ({ servers, configuration: wanted = {} }) =>
        servers.test(name) && Object.entries(wanted).every(([setting, value]) => configuration[setting] === value),
    )!;
    const differing = cells('canonical').filter(
      ({ file, cell: { level, outcome } }) => (outcome === 'occurs') !== (expected.occurs[level]?.includes(file) ?? false),
    );
    expect(differing.map(({ file, cell: { level, outcome } }) => `${file} at ${level}: ${outcome}`)).toEqual([]);
  });

  it('shows what explorations found where it was found, and at no other level', () => {
    const explored = replayed.filter(({ path }) => path.includes('/explored/'));
    expect(explored.map(({ name: file }) => file).toSorted()).toEqual(Object.keys(EXPLORED).toSorted());
    for (const { name: file, cells: row } of explored) {
      const occurs = EXPLORED[file]!.find(({ servers }) => servers.test(name))?.occurs ?? [];
      expect(
        row.filter(({ outcome }) => outcome === 'occurs').map(({ level }) => level),
        file,
      ).toEqual(occurs);
    }
    // A run that the documents rule out there is a bug, as in `explore`.
    const verdicts = (file: string, level: string): unknown =>
      explored.find((each) => each.name === file)!.cells.find((each) => each.level === level)?.judgement?.verdict;
    for (const [file, level, servers] of BUGS) if (servers.test(name)) expect(verdicts(file, level), `${file} at ${level}`).toBe('bug');
    // The control: with innodb_snapshot_isolation what would count the newer row is refused.
    const control = explored.find(({ name: file }) => file === 'count-without-index.spec')!;
    if (name === 'mariadb@11.8')
      expect(control.cells.find(({ level }) => level === 'repeatable-read')!.outcome).toBe('prevented by error 1020');
  });

  it('shows nothing that the documents do not allow, and at SERIALIZABLE nothing', () => {
    const occurring = [...cells('canonical'), ...cells('found')].filter(({ cell }) => cell.outcome === 'occurs');
    expect(occurring.length).toBeGreaterThan(0);
    expect(
      occurring
        .filter(({ cell }) => cell.level === 'serializable' || cell.judgement?.verdict !== 'documented')
        .map(({ file, cell }) => `${file} at ${cell.level}: ${cell.judgement?.verdict ?? 'not judged'}`),
    ).toEqual([]);
  });
}
