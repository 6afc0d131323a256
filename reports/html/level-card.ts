/**
 * One level of one target: its verdict in a word and a sentence, what ran, what it covered, and what its histories say
 * of every level.
 */
import type { InvariantReport, LevelReport, Report } from '../../core/index.ts';
import { answersByKind, byCount, classTable, levelKey, levelName, ownWords, standing, sum, type Standing } from '../run/figures.ts';
import { causeNumber, invariantLines } from '../run/invariant-lines.ts';
import { notMetLines, pairWords } from '../run/pairs.ts';
import { ownSettingWords } from '../text/own-settings.ts';
import { counted, grouped } from '../text/words.ts';
import { html, type Markup } from './markup.ts';
import { htmlTable } from './html-table.ts';
import { noteText } from '../notes/words.ts';

const WORD: Readonly<Record<Standing['kind'], string>> = {
  bug: 'bug',
  undocumented: 'undocumented',
  documented: 'documented',
  inconclusive: 'inconclusive',
  known: 'known bug',
  yours: 'yours',
  clean: 'nothing seen',
};

export function levelCard(report: Report, level: LevelReport): Markup {
  const { coverage } = level;
  const state = standing(level);
  const answers = answersByKind(level);
  const classes = classTable(level);
  const pairs = sum(Object.values(coverage.conflicts));
  return html`<article class="card ${state.kind}" id="level-${levelKey(level)}">
<header><h3>${levelName(level)}</h3><span class="badge ${state.kind}">${WORD[state.kind]}</span></header>
<p class="target">${level.target} · ${level.server}</p>
<p class="words">${state.words}</p>
${level.inconclusive !== undefined && state.kind !== 'inconclusive' ? html`<p class="words">Inconclusive: ${level.inconclusive}</p>` : null}
<dl class="figures"><div><dt>transactions</dt><dd>${grouped(coverage.transactions)}</dd></div><div><dt>committed</dt><dd>${grouped(coverage.committed)}</dd></div><div><dt>aborted</dt><dd>${grouped(coverage.aborted)}</dd></div><div><dt>unknown</dt><dd>${grouped(coverage.unknown)}</dd></div><div><dt>statements</dt><dd>${grouped(coverage.statements)}</dd></div><div><dt>conflicts</dt><dd>${grouped(pairs)}</dd></div></dl>
${classes.length > 1 ? htmlTable(classes, 'Anomalies by class and verdict') : html`<p class="quiet">No anomaly was seen.</p>`}
<dl class="facts">
${invariantLines(report, level).map((line, i) => html`<dt>invariant</dt><dd>${line}${causeLink(report, level, level.invariants![i]!)}</dd>`)}
${level.mixed === undefined ? null : html`<dt>own</dt><dd>${ownWords(level.mixed.own)}</dd>`}
${answers.violated.length > 0 ? html`<dt>false</dt><dd>${answers.violated.join(', ')}</dd>` : null}
${answers.held.length > 0 ? html`<dt>true</dt><dd>${answers.held.join(', ')}</dd>` : null}
${answers.unseen.map(({ levels, words }) => html`<dt>unknown</dt><dd>${levels.join(', ')}: ${words}</dd>`)}
${(level.predicates?.unexplained.shown ?? []).map((each) => html`<dt>unexplained</dt><dd>${noteText(each)}</dd>`)}
${answers.unknown.map((answer) => html`<dt>unknown</dt><dd>${answer.level}: ${answer.reason}</dd>`)}
</dl>
<details class="more"><summary>Coverage and configuration</summary><dl class="facts">
<dt>rounds</dt><dd>${grouped(coverage.rounds)}</dd>
<dt>reads</dt><dd>${list(coverage.reads)}</dd>
<dt>blocked</dt><dd>${counted(coverage.blocked, 'statement')}</dd>
<dt>errors</dt><dd>${list(coverage.errors)}</dd>
<dt>shapes</dt><dd>${list(level.shapes)}</dd>
<dt>conflicting pairs</dt><dd>${list(coverage.conflicts)}</dd>
${level.pairs === undefined ? null : html`<dt>forms</dt><dd>${pairWords(level.pairs)}</dd>`}
${(level.pairs === undefined ? [] : notMetLines(level.pairs)).map((line) => html`<dt>did not meet</dt><dd>${line}</dd>`)}
<dt>level in force</dt><dd>${
    level.inForce === undefined
      ? 'not recorded'
      : Object.entries(level.inForce)
          .map(([words, n]) => `${words} in ${counted(n, 'transaction')}`)
          .join(', ')
  }</dd>
<dt>configuration</dt><dd>${
    Object.entries(level.configuration)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ') || 'none recorded'
  }</dd>
${(level.ownSettings ?? []).map((setting) => html`<dt>not the vendor’s</dt><dd>${ownSettingWords(setting)}</dd>`)}
</dl></details>
</article>`;
}

function causeLink(report: Report, level: LevelReport, { brokenBy }: InvariantReport): Markup | null {
  const n = brokenBy && causeNumber(report, level, brokenBy);
  return n === undefined ? null : html` <a href="#finding-${n}">Finding ${n}</a>`;
}

function list(counts: Readonly<Partial<Record<string, number>>>): string {
  return (
    byCount(counts)
      .map(([name, n]) => `${name} ${grouped(n)}`)
      .join(', ') || 'none'
  );
}
