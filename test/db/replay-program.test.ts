/**
 * A finding's file is replayed on the server that showed it and on one without the fault. The proxies plant a fault for each
 * oracle: what the dependencies show, what breaks an invariant, and what one run shows by itself.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Control, ProgramFinding, ProgramFindingKind } from '../../core/verdict/index.ts';
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

const LEVEL = ['--level', 'serializable'];

type FindingFile = Pick<ProgramFinding, 'kind' | 'family'> & { readonly verdict: string };

describeEachServer(
  'a finding of a small program is replayed',
  ({ start }) => {
    const suite = suiteServer(start);

    async function explored(url: string, args: readonly string[], out: string): Promise<void> {
      const { code, stdout, stderr } = await cli(['explore', ...args, '--url', url, ...LEVEL, '--orders', 'pruned', '--out', out]);
      expect(code, stdout + stderr).toBe(1);
    }

    function fileOf(kind: ProgramFindingKind, out: string): { readonly path: string; readonly finding: FindingFile } {
      const files = readdirSync(out).filter((name) => /^finding-\d+\.json$/.test(name));
      const read = files.map((name) => ({
        path: join(out, name),
        finding: JSON.parse(readFileSync(join(out, name), 'utf8')) as FindingFile,
      }));
      const found = read.find(({ finding }) => finding.kind === kind && finding.verdict === 'bug');
      expect(found, `a bug among ${read.map(({ finding }) => `${finding.kind}: ${finding.verdict}`).join(', ')}`).toBeDefined();
      return found!;
    }

    async function replayed(path: string, url: string): Promise<Finished & { readonly cell: Control }> {
      const args = ['replay', path, '--url', url, ...LEVEL, '--times', '3', '--json'];
      const done = await cli(args);
      const { files } = JSON.parse(done.stdout) as { readonly files: readonly { readonly cells: readonly Control[] }[] };
      return { ...done, cell: files[0]!.cells[0]! };
    }

    /** The fault shows it every time and as a bug. Without the fault it is not seen, and the text says so. */
    async function expectOnlyBehind(url: string, path: string, without: Partial<Control>): Promise<void> {
      const behind = await replayed(path, url);
      expect(behind.cell, behind.stderr).toMatchObject({
        code: 'occurs',
        rate: { tries: 3, seen: 3 },
        judgement: { verdict: 'bug' },
      });
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

    it.for(STRAYS)('by what its run shows: $name', async (fault) => {
      const proxy = await startFaultyProxy(suite.server.url, fault);
      try {
        const out = join(suite.folder, fault.name.replaceAll(' ', '-'));
        await explored(proxy.url, ['--seed', raceSeeds()[0]!, '--programs', '8', '--workers', '1'], out);
        const { path } = fileOf('single-run violation', out);
        await expectOnlyBehind(proxy.url, path, { code: 'not seen' });
      } finally {
        await proxy.close();
      }
    });
  },
  { fits: ({ name }) => name === 'postgres', once: true },
);
