/**
 * Replays a finding's file on the server that showed it and on one without the fault. The proxies plant a fault for each oracle:
 * dependencies, a broken invariant, and a violation in a single run.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Level, PromiseVerdict } from '../../core/level/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import type { Control, ProgramFinding, ProgramFindingKind } from '../../core/verdict/index.ts';
import { packedProgram, unpackedProgram } from '../../src/explore/packed-program.ts';
import { cli } from './cli.ts';
import type { Finished } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { STRAYS, startFaultyProxy } from './faulty-proxy.ts';
import { startLyingProxy } from './lying-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { suiteServer } from './suite-server.ts';

/** Two doctors go home at once. One after the other, the second meets the leave of the first and stays. */
const GUARDED = `
-- @schema
CREATE TABLE doctors (doctor_id int PRIMARY KEY, on_call int NOT NULL);
CREATE TABLE leaves (doctor_id int PRIMARY KEY, others int NOT NULL);
-- @data
INSERT INTO doctors (doctor_id, on_call) VALUES (1, 1), (2, 1);
-- @transaction go-home
-- @parameter :me key of doctors
SELECT count(*) AS others FROM doctors AS d WHERE d.on_call = 1 AND d.doctor_id <> :me;
UPDATE doctors SET on_call = 0 WHERE doctor_id = :me AND (SELECT count(*) FROM leaves AS l) = 0;
INSERT INTO leaves (doctor_id, others) SELECT :me, d.on_call + 1 FROM doctors AS d WHERE d.doctor_id = :me AND d.on_call = 0;
-- @invariant somebody-is-there
SELECT d.doctor_id FROM doctors AS d WHERE (SELECT sum(e.on_call) FROM doctors AS e) = 0;
`;

/**
 * The first copies a value twice, and the second changes it meanwhile. Below a snapshot the copies differ. On a snapshot they are
 * equal, and still no serial order explains the outcome: the second sees no copy, and the first sees the old value.
 */
const COPIED = `
-- @schema
CREATE TABLE counters (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE copies (id int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO counters (id, v) VALUES (1, 0);
-- @transaction copy
INSERT INTO copies (id, v) SELECT 1, c.v FROM counters AS c WHERE c.id = 1;
INSERT INTO copies (id, v) SELECT 2, c.v FROM counters AS c WHERE c.id = 1;
-- @transaction change
SELECT count(*) AS n FROM copies AS p;
UPDATE counters SET v = 1 WHERE id = 1;
-- @invariant copies-are-equal
SELECT p.id FROM copies AS p WHERE p.v <> (SELECT min(q.v) FROM copies AS q);
`;

type FindingFile = Pick<ProgramFinding, 'kind' | 'family'> & { readonly verdict: string };

/** Returns the finding with a generated column, because probes refuse such a program. */
function withGeneratedColumn(finding: FindingFile): FindingFile {
  const { example } = finding.family;
  const replayed = unpackedProgram(example.case!);
  const { fixture } = replayed.program;
  const [table, ...tables] = fixture.tables;
  const columns = table!.columns.map((column, n) => (n === 0 ? column : { ...column, generated: { kind: 'column', column: 'id' } }));
  const changed = { ...fixture, tables: [{ ...table!, columns }, ...tables] } as Fixture;
  const packed = packedProgram({ ...replayed, program: { ...replayed.program, fixture: changed } });
  return { ...finding, family: { ...finding.family, example: { ...example, case: packed } } };
}

describeEachServer(
  'a finding of a small program is replayed',
  ({ start }) => {
    const suite = suiteServer(start);

    async function explored(url: string, args: readonly string[], out: string, level: Level = 'serializable'): Promise<void> {
      const { code, stdout, stderr } = await cli(['explore', ...args, '--url', url, '--level', level, '--fail-on', 'any', '--out', out]);
      expect(code, stdout + stderr).toBe(1);
    }

    function fileOf(
      kind: ProgramFindingKind,
      out: string,
      verdict: PromiseVerdict = 'bug',
    ): { readonly path: string; readonly finding: FindingFile } {
      const files = readdirSync(out).filter((name) => /^finding-\d+\.json$/.test(name));
      const read = files.map((name) => ({
        path: join(out, name),
        finding: JSON.parse(readFileSync(join(out, name), 'utf8')) as FindingFile,
      }));
      const found = read.find(({ finding }) => finding.kind === kind && finding.verdict === verdict);
      expect(found, `${verdict} among ${read.map(({ finding }) => `${finding.kind}: ${finding.verdict}`).join(', ')}`).toBeDefined();
      return found!;
    }

    async function replayed(path: string, url: string, level: Level = 'serializable'): Promise<Finished & { readonly cell: Control }> {
      const done = await cli(['replay', path, '--url', url, '--level', level, '--times', '3', '--json']);
      const { files } = JSON.parse(done.stdout) as { readonly files: readonly { readonly cells: readonly Control[] }[] };
      return { ...done, cell: files[0]!.cells[0]! };
    }

    /** The fault shows it every time and as a bug. Without the fault it is not seen, and the text says so. */
    async function expectOnlyBehind(url: string, path: string, without: Partial<Control>): Promise<void> {
      const behind = await replayed(path, url);
      expect(behind.cell, behind.stderr).toMatchObject({ code: 'occurs', rate: { tries: 3, seen: 3 }, judgement: { verdict: 'bug' } });
      expect(behind.code).toBe(1);
      const beside = await replayed(path, suite.server.url);
      expect(beside.cell, beside.stderr).toMatchObject({ rate: { tries: 3, seen: 0 }, ...without });
      expect(beside.cell.judgement).toBeUndefined();
      expect(beside.code).toBe(0);
    }

    it('by its dependencies', async () => {
      const proxy = await startLyingProxy(suite.server.url);
      try {
        const out = join(suite.folder, 'dependencies');
        const only = ['write beside lost update', 'two parents', 'exists', 'set by index'].flatMap((word) => ['--only', word]);
        await explored(proxy.url, ['--seed', '1', '--programs', '16', ...only], out);
        const { path } = fileOf('hidden anomaly', out);
        await expectOnlyBehind(proxy.url, path, { code: 'not seen' });

        const unprobed = join(suite.folder, 'unprobed.json');
        writeFileSync(unprobed, JSON.stringify(withGeneratedColumn(JSON.parse(readFileSync(path, 'utf8')) as FindingFile)));
        const { cell, code } = await replayed(unprobed, suite.server.url);
        expect(cell).toMatchObject({ code: 'not judged', outcome: expect.stringMatching(/no probes are made beside a column/) });
        expect(code).toBe(3);
      } finally {
        await proxy.close();
      }
    });

    it('by the invariant that it breaks', async () => {
      const proxy = await startLyingProxy(suite.server.url);
      try {
        const file = join(suite.folder, 'guarded.sql');
        writeFileSync(file, GUARDED);
        const out = join(suite.folder, 'invariant');
        await explored(proxy.url, [file, '--seed', '1'], out);
        const { path, finding } = fileOf('broken invariant', out);
        expect(finding.family.example.breaks).toEqual(['somebody-is-there']);
        await expectOnlyBehind(proxy.url, path, { code: 'error', outcome: 'prevented by error 40001' });
      } finally {
        await proxy.close();
      }
    });

    it('by the invariant, where another level breaks none and no serial order explains it', async () => {
      const { url } = suite.server;
      const file = join(suite.folder, 'copied.sql');
      writeFileSync(file, COPIED);
      const out = join(suite.folder, 'copied');
      await explored(url, [file, '--seed', '1'], out, 'read-committed');
      const { path } = fileOf('broken invariant', out, 'documented');
      const own = await replayed(path, url, 'read-committed');
      expect(own.cell, own.stderr).toMatchObject({ code: 'occurs', rate: { tries: 3, seen: 3 }, judgement: { verdict: 'documented' } });
      const { cell } = await replayed(path, url, 'repeatable-read');
      expect(cell).toMatchObject({
        code: 'not seen',
        rate: { tries: 3, seen: 0 },
        outcome: 'not seen: no serial order explains the outcome, but the invariant holds',
      });
    });

    it.for(STRAYS)('by what its run shows: $name', async (fault) => {
      const proxy = await startFaultyProxy(suite.server.url, fault);
      try {
        const out = join(suite.folder, fault.name.replaceAll(' ', '-'));
        await explored(proxy.url, ['--seed', raceSeeds()[0]!, '--programs', '8', '--workers', '1'], out);
        const { path } = fileOf('single-run violation', out);
        const tracker = readFileSync(path.replace(/json$/, 'tracker.md'), 'utf8');
        expect(tracker).toContain('Expected: the protocol reports the transaction state that the replies imply.');
        expect(tracker).toMatch(/^Actual: .* the protocol says that the session is /m);
        expect(tracker).not.toMatch(/serial order|one after the other/);
        await expectOnlyBehind(proxy.url, path, { code: 'not seen' });
      } finally {
        await proxy.close();
      }
    });
  },
  // PostgreSQL refuses at SERIALIZABLE what would be an anomaly; servers that lock would answer otherwise.
  { fits: ({ ranLive, allowedErrors }) => ranLive && allowedErrors !== undefined, once: true },
);
