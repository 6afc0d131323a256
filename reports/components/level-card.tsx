/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows one level of one target. The card gives the verdict in a word and a sentence, the work, the coverage, and what
 * its histories say about every level.
 */
import type { ComponentChildren, VNode } from 'preact';
import type { InvariantReport, LevelReport, Report } from '../../core/verdict/index.ts';
import { answersByKind, byCount, classTable, levelKey, levelName, ownWords, standing, sum, type Standing } from '../run/figures.ts';
import { causeNumber, invariantLines } from '../run/invariant-lines.ts';
import { notMetLines, pairWords } from '../run/pairs.ts';
import { ownSettingWords } from '../text/own-settings.ts';
import { counted, grouped } from '../text/words.ts';
import { noteText } from '../notes/words.ts';
import { Badge } from './badge.tsx';
import { Card, Facts, Figures } from './card.tsx';
import { CellTable } from './cell-table.tsx';

type Fact = readonly [name: string, value: ComponentChildren];

interface Props {
  readonly report: Report;
  readonly level: LevelReport;
}

/** Gives the word of the level's badge for each standing. */
export const STANDING_WORD: Readonly<Record<Standing['kind'], string>> = {
  bug: 'bug',
  undocumented: 'undocumented',
  documented: 'documented',
  inconclusive: 'inconclusive',
  known: 'known bug',
  yours: 'yours',
  clean: 'nothing seen',
};

export function LevelCard({ report, level }: Props): VNode {
  const { coverage } = level;
  const { kind, words } = standing(level);
  const classes = classTable(level);
  return (
    <Card look={kind} id={`level-${levelKey(level)}`} title={levelName(level)} beside={<Badge look={kind}>{STANDING_WORD[kind]}</Badge>}>
      <p class="target">
        {level.target} · {level.server}
      </p>
      <p class="words">{words}</p>
      {level.inconclusive !== undefined && kind !== 'inconclusive' && <p class="words">Inconclusive: {level.inconclusive}</p>}
      <Figures
        of={[
          ['transactions', grouped(coverage.transactions)],
          ['committed', grouped(coverage.committed)],
          ['aborted', grouped(coverage.aborted)],
          ['unknown', grouped(coverage.unknown)],
          ['statements', grouped(coverage.statements)],
          ['conflicts', grouped(sum(Object.values(coverage.conflicts)))],
        ]}
      />
      {classes.length > 1 ? <CellTable rows={classes} label="Anomalies by class and verdict" /> : <p class="quiet">No anomaly was seen.</p>}
      <Facts of={answers(report, level)} />
      <details class="more">
        <summary>Coverage and configuration</summary>
        <Facts of={covered(level)} />
      </details>
    </Card>
  );
}

function answers(report: Report, level: LevelReport): readonly Fact[] {
  const { violated, held, unseen, unknown } = answersByKind(level);
  return [
    ...invariantLines(report, level).map((line, i): Fact => [
      'invariant',
      <>
        {line}
        <Cause report={report} level={level} invariant={level.invariants![i]!} />
      </>,
    ]),
    ...(level.mixed === undefined ? [] : [['own', ownWords(level.mixed.own)] as const]),
    ...(violated.length > 0 ? [['false', violated.join(', ')] as const] : []),
    ...(held.length > 0 ? [['true', held.join(', ')] as const] : []),
    ...unseen.map(({ levels, words }) => ['unknown', `${levels.join(', ')}: ${words}`] as const),
    ...(level.predicates?.unexplained.shown ?? []).map((each) => ['unexplained', noteText(each)] as const),
    ...unknown.map((answer) => ['unknown', `${answer.level}: ${answer.reason}`] as const),
  ];
}

function covered({ coverage, shapes, pairs, inForce, configuration, ownSettings = [] }: LevelReport): readonly Fact[] {
  return [
    ['rounds', grouped(coverage.rounds)],
    ['reads', list(coverage.reads)],
    ['blocked', counted(coverage.blocked, 'statement')],
    ['errors', list(coverage.errors)],
    ['shapes', list(shapes)],
    ['conflicting pairs', list(coverage.conflicts)],
    ...(pairs === undefined ? [] : [['forms', pairWords(pairs)] as const]),
    ...(pairs === undefined ? [] : notMetLines(pairs)).map((line) => ['did not meet', line] as const),
    [
      'level in force',
      inForce === undefined
        ? 'not recorded'
        : Object.entries(inForce)
            .map(([words, n]) => `${words} in ${counted(n, 'transaction')}`)
            .join(', '),
    ],
    [
      'configuration',
      Object.entries(configuration)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ') || 'none recorded',
    ],
    ...ownSettings.map((setting) => ['not the vendor’s', ownSettingWords(setting)] as const),
  ];
}

interface CauseProps extends Props {
  readonly invariant: InvariantReport;
}

function Cause({ report, level, invariant: { brokenBy } }: CauseProps): VNode | null {
  const n = brokenBy && causeNumber(report, level, brokenBy);
  if (n === undefined) return null;
  return (
    <>
      {' '}
      <a href={`#finding-${n}`}>Finding {n}</a>
    </>
  );
}

function list(counts: Readonly<Partial<Record<string, number>>>): string {
  return (
    byCount(counts)
      .map(([name, n]) => `${name} ${grouped(n)}`)
      .join(', ') || 'none'
  );
}
