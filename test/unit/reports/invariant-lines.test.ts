/** A broken invariant and the finding that broke it name each other, in each report. */
import { expect, it } from 'vitest';
import type { InvariantReport, LevelReport } from '../../../core/index.ts';
import { REPORTERS, detailsText } from '../../../reports/index.ts';
import { LOST_UPDATE, files, report } from './fixture.ts';

const SUM: InvariantReport = {
  name: 'sum-is-kept',
  rounds: 4,
  broken: 1,
  ruledOut: false,
  verdict: 'documented',
  why: 'the documents allow it',
  first: { round: 3, rows: '1 row: (sum 199)' },
  brokenBy: {
    class: 'G-single-item',
    shapes: ['lost update'],
    fingerprint: LOST_UPDATE.anomaly.fingerprint,
    transactions: [{ id: 8, name: 'pay' }, { id: 9 }],
    replayed: { tries: 3, seen: 2 },
    inTurn: 2,
  },
};

const [READ_COMMITTED, ...OTHERS] = report().levels;
const REPORT = report({ levels: [{ ...READ_COMMITTED!, invariants: [SUM] } satisfies LevelReport, ...OTHERS] });
/** Bugs come first. */
const N = 2;
const LINK = `by finding ${N} (lost update) of T8 (pay) and T9: replayed alone they break it in 2 of 3 runs, and in 0 of 2 serial orders`;
const BACK = 'It breaks the invariant sum-is-kept of the workload file.';

it('stdout', () => {
  const text = detailsText(REPORT);
  expect(text).toContain(LINK);
  expect(text.split(BACK)).toHaveLength(2);
});

it('report.md', () => {
  const { sink, text } = files();
  REPORTERS['markdown']!(REPORT, sink);
  expect(text('report.md')).toContain(LINK);
  expect(text('report.md').split(BACK)).toHaveLength(2);
});

it('report.html, where the link leads to the finding', () => {
  const { sink, text } = files();
  REPORTERS['html']!(REPORT, sink);
  expect(text('report.html')).toContain(`${LINK}; first after round 3 (1 row: (sum 199)) <a href="#finding-${N}">Finding ${N}</a>`);
});

it('findings.json, null where the finding was not kept', () => {
  const json = (of: typeof REPORT) => {
    const { sink, text } = files();
    REPORTERS['json']!(of, sink);
    return JSON.parse(text('findings.json')) as unknown;
  };
  const invariants = (finding: number | null) => ({ invariants: [{ brokenBy: { finding, inTurn: 2 } }] });
  expect(json(REPORT)).toMatchObject({
    findings: [{ breaks: [] }, { n: N, breaks: ['sum-is-kept'] }],
    targets: { 'postgres@18': { 'read-committed': invariants(N) } },
  });
  expect(json({ ...REPORT, findings: [] })).toMatchObject({ targets: { 'postgres@18': { 'read-committed': invariants(null) } } });
});
