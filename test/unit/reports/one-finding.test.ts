/** A finding of the rounds and one that was explored, beside each other: numbered together, and with the same files. */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/index.ts';
import type { ExploreFamily, Report } from '../../../core/index.ts';
import { postgres } from '../../../dialects/index.ts';
import { REPORTERS, exploreHtml, exploredFindings, reportJson, withExploredFindings } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { exampleOf } from '../../../src/explore/example.ts';
import { unpackedProgram } from '../../../src/explore/packed-program.ts';
import { again, play } from '../../../src/explore/play.ts';
import { ModelArena } from '../../model/model-arena.ts';
import { LEVEL, REPORT } from '../explore/fixture.ts';
import { unpacked } from '../unpacked-page.ts';
import { REPRODUCED, files, report } from './fixture.ts';

const IN_TURN = [0, 0, 0, 1, 1, 1];

/** The parts of an open finding, but the pictures of a cycle and the files beside it. */
const PARTS = [
  /<pre class="replay".*?<\/pre>/s,
  /<p class="explanation">.*?<\/p>/s,
  /<blockquote class="promise .*?<\/blockquote>/s,
  /<p class="bare.*?<\/p>/s,
  /<dl class="facts">.*?<\/dl>/s,
  /<section class="reproduction".*?<\/section>/s,
  /<summary>Setup SQL, as sent.*?<\/pre>/s,
];

/** Two transactions of a skeleton, one after the other, as if that were what no serial order gives. */
async function family(of: Partial<ExploreFamily> = {}): Promise<ExploreFamily> {
  const catalogue = new Catalogue(createRandom('3'), { capabilities: postgres.capabilities, canForceIndexes: true });
  const made = { skeleton: 'lost update', world: 'two rows', 'reads 1': 'point', 'writes 1': 'set', 'reads 2': 'point', 'writes 2': 'set' };
  const program = catalogue.program(made);
  const arena = new ModelArena({ rule: 'serializable', random: () => createRandom('model') });
  await arena.load(program);
  const played = (await play(arena, program, firstState(program.fixture), again(IN_TURN)))!;
  const example = exampleOf(
    program,
    { times: 5, of: 5, answers: [], played },
    {
      dialect: postgres,
      level: postgres.levels.find(({ level }) => level === 'serializable')!,
      beginSql: () => 'BEGIN ISOLATION LEVEL SERIALIZABLE; SHOW transaction_isolation',
      breaks: [],
      command: 'anomalist explore --program 1',
      finding: { sought: { oracle: 'serial orders', kind: 'skew' }, why: 'No serial order gives it.' },
    },
  );
  return {
    name: 'lost update, point',
    fingerprint: 'explored|serial orders|skew|lost update, point',
    oracle: 'serial orders',
    difference: 'none',
    oneOf: ['G2'],
    verdict: 'bug',
    says: 'it is ruled out.',
    source: 'https://www.postgresql.org/docs/18/transaction-iso.html',
    programs: 1,
    forms: {},
    example,
    ...of,
  };
}

async function explored(of: Partial<ExploreFamily> = {}): Promise<ExploreReport> {
  return { ...REPORT, target: 'postgres@18', vendor: postgres.vendor, levels: [{ ...LEVEL, families: [await family(of)] }] };
}

async function both(of: Partial<ExploreFamily> = {}): Promise<Report> {
  return withExploredFindings(report({ findings: [REPRODUCED] }), await explored(of));
}

function written(of: Report): ReturnType<typeof files> {
  const all = files();
  for (const reporter of Object.values(REPORTERS)) reporter(of, all.sink);
  return all;
}

describe('a finding of the rounds and one that was explored', () => {
  it('have the same files, but that a graph is of a cycle', async () => {
    const { findings } = reportJson(await both());
    expect(findings.map(({ n, kind, file }) => [n, kind, file])).toEqual([
      [1, 'anomaly', 'finding-1.json'],
      [2, 'outcome difference', 'finding-2.json'],
    ]);
    const all = written(await both());
    for (const kind of ['json', 'tracker.md', 'repro.sql', 'repro.spec', 'repro.mjs'])
      for (const n of [1, 2]) expect(all.text(`finding-${n}.${kind}`), `finding-${n}.${kind}`).not.toBe('');
    expect(all.text('finding-2.tracker.md')).toMatch(/^To: pgsql-bugs@.*\nSubject: .* at SERIALIZABLE, PostgreSQL/);
    expect(all.text('finding-2.tracker.md')).toContain('it is ruled out.');
    expect(all.text('finding-2.repro.spec')).toContain('permutation s1_1 s1_2 s1_commit s2_1 s2_2 s2_commit');
    expect(all.text('report.html')).toContain('id="finding-2"');
    expect(all.text('report.md')).toContain('### 2. unnamed outcome in lost update, point, bug');
  });

  it('have the same parts in a page, and the page of an exploration shows what the report shows', async () => {
    const { body } = unpacked(written(await both()).text('report.html')).get(2)!;
    const own = exploreHtml(await explored(), 'report.html');
    for (const part of PARTS) {
      const [shown = 'none'] = part.exec(body) ?? [];
      expect(shown, String(part)).not.toBe('none');
      expect(own, String(part)).toContain(shown);
      expect(unpacked(written(await both()).text('report.html')).get(1)!.body, String(part)).toMatch(part);
    }
  });

  it('are numbered by which is worse', async () => {
    const first = async (of: Partial<ExploreFamily>, known?: true): Promise<string> => {
      const report = await both(of);
      const findings = report.findings.map((finding) => (finding.kind === 'anomaly' && known ? { ...finding, known } : finding));
      return reportJson({ ...report, findings }).findings[0]!.kind;
    };
    expect(await first({})).toBe('anomaly');
    expect(await first({ verdict: 'documented' })).toBe('anomaly');
    expect(await first({}, true)).toBe('outcome difference');
    expect(await first({ accepted: true }, true)).toBe('anomaly');
  });

  it('keeps its fingerprint and its program in its file', async () => {
    const file = JSON.parse(written(await both()).text('finding-2.json')) as { fingerprint: string; family: ExploreFamily };
    expect(file.fingerprint).toBe('explored|serial orders|skew|lost update, point');
    const { program, choices, sought } = unpackedProgram(file.family.example.case!);
    expect([program.transactions.length, choices, sought]).toEqual([2, IN_TURN, { oracle: 'serial orders', kind: 'skew' }]);
  });

  it('of an older tool, which kept no program, has no files beside its own', async () => {
    const { plain: _, case: __, ...example } = (await family()).example;
    const report = await both({ example });
    const explored = exploredFindings({ ...REPORT, levels: [{ ...LEVEL, families: [{ ...(await family()), example }] }] });
    expect(explored.map(({ replay, vendor }) => [replay, vendor])).toEqual([['anomalist explore --program 1', undefined]]);
    expect(Object.keys(reportJson(report).findings[1]!)).toContain('fingerprint');
    expect(reportJson(report).findings[1]!.reproduced).toBeNull();
  });
});
