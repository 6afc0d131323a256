/**
 * The sessions' timeline. A lane per session; a statement is a box from its invocation to its reply. Real times are
 * very uneven (a lock wait is a thousand statements long), so the large picture has an ordinal axis: every invocation
 * and every reply is one line of a CSS grid, in observed order, and the rows grow with their text. Above it a narrow
 * strip shows the same statements in real time.
 *
 *     line 1  s1 sent      +----+
 *     line 2  s1 replied   +----+
 *     line 3  s2 sent               +----+
 *     line 4  s3 sent      +----+   |////|   s2 waits for a lock
 *     line 5  s3 replied   +----+   |////|
 *     line 6  s2 replied            +----+
 */
import { sentKindsThat } from '../../core/index.ts';
import type { AnomalyFinding, ReportedStatement } from '../../core/index.ts';
import { VERBS } from '../text/in-users-rows.ts';
import { ownSql } from '../text/own-sql.ts';
import { rowWords, type RowWords } from '../text/row-words.ts';
import { clip, clipFront, oneLine } from '../text/visible.ts';
import { counted, duration, resultRow, statementOutcome } from '../text/words.ts';
import type { Lights } from './lights.ts';
import { html, type Markup } from './markup.ts';

/** At most so many boxes in one timeline: nobody follows more. */
const DRAWN_STATEMENTS = 60;
/** Characters of a statement that stand in its box; the rest opens on request. */
const SHOWN_SQL = 180;
const SHOWN_RESULT_ROWS = 4;
const TXN_COLOURS = 6;

/** `only`: the statements that the anomaly rests on and the ends of their transactions, at most so many: for a first look. */
export function timeline(finding: AnomalyFinding, lit: Lights, only?: number): Markup {
  const drawn = drawnStatements(finding, only);
  if (drawn.length === 0) return html`<p class="quiet">No statements were recorded for this finding.</p>`;
  const sessions = [...new Set(drawn.map((statement) => statement.session))].toSorted((a, b) => a - b);
  const colour = txnColours(finding);
  const lines = gridLines(drawn);
  const last = drawn.length * 2;
  const left = finding.statements.length - drawn.length;
  const on = new Set(finding.anomaly.statements);
  const words = rowWords(finding);
  const box = (statement: ReportedStatement, position: number): Markup => {
    const { from, to } = lines[position] ?? { from: 1, to: 2 };
    const lane = sessions.indexOf(statement.session);
    return html`<span class="at" style="grid-row:${from + 1}">${duration(statement.invokeAt - (drawn[0]?.invokeAt ?? 0))}</span>${statementBox(statement, { on: on.has(statement.index), colour: colour(statement.txn), lit, words, place: `grid-row:${from + 1}/${(statement.replyAt === null ? last : to) + 1};grid-column:${lane + 2}` })}`;
  };
  return html`${strip(drawn, sessions, colour, lit)}
<div class="lanes" tabindex="0" role="group" aria-label="Timeline of ${counted(sessions.length, 'session')}, statements from invocation to reply in observed order">
<div class="grid" style="grid-template-columns:var(--axis) repeat(${sessions.length},minmax(var(--lane),1fr))">
<span class="corner">sent at</span>${sessions.map((session, lane) => html`<h4 class="lane-name" style="grid-column:${lane + 2}">Session ${session + 1}<small>${finding.transactions.filter((txn) => txn.session === session).map((txn) => html`<span class="t${colour(txn.id)}">T${txn.id}${txn.name === undefined ? '' : ` ${txn.name}`} ${txn.outcome === 'unknown' ? 'outcome unknown' : txn.outcome}</span>`)}</small></h4><i class="lane" style="grid-column:${lane + 2};grid-row:2/${last + 2}"></i>`)}
${drawn.map(box)}
</div></div>
${left > 0 && only === undefined ? html`<p class="quiet">${counted(left, 'statement')} of these transactions not drawn here (those the anomaly does not rest on); the finding's JSON file has all ${finding.statements.length}.</p>` : null}`;
}

/** Number of a transaction's colour: by its place in the finding. */
export function txnColours(finding: Pick<AnomalyFinding, 'transactions'>): (txn: number) => number {
  const order = finding.transactions.map((txn) => txn.id);
  return (txn) => Math.max(0, order.indexOf(txn)) % TXN_COLOURS;
}

/** All of them, or those of the anomaly, then beginnings and ends, then the earliest others, up to the limit. */
function drawnStatements(finding: AnomalyFinding, only: number | undefined): readonly ReportedStatement[] {
  const on = new Set(finding.anomaly.statements);
  const rank = (statement: ReportedStatement): number =>
    on.has(statement.index) ? 0 : statement.kind === 'begin' || statement.kind === 'commit' || statement.kind === 'rollback' ? 1 : 2;
  return finding.statements
    .filter((statement) => only === undefined || rank(statement) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || a.invokeAt - b.invokeAt)
    .slice(0, only ?? DRAWN_STATEMENTS)
    .toSorted((a, b) => a.invokeAt - b.invokeAt);
}

/** Ranks of invocation and reply among all instants; ties in the order of the statements, so a box is never empty. */
function gridLines(drawn: readonly ReportedStatement[]): readonly { readonly from: number; readonly to: number }[] {
  const instants = drawn.flatMap((statement, index) => [
    { time: statement.invokeAt, index, reply: false },
    { time: statement.replyAt ?? Number.POSITIVE_INFINITY, index, reply: true },
  ]);
  const lines = drawn.map(() => ({ from: 0, to: 0 }));
  for (const [line, { index, reply }] of instants.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).entries()) {
    const entry = lines[index];
    if (entry !== undefined) entry[reply ? 'to' : 'from'] = line + 1;
  }
  return lines;
}

interface Box {
  /** The anomaly rests on it. */
  readonly on: boolean;
  readonly colour: number;
  readonly lit: Lights;
  readonly words: RowWords;
  readonly place: string;
}

function statementBox(statement: ReportedStatement, { on, colour, lit, words, place }: Box): Markup {
  const states = [
    on ? 'on' : '',
    statement.blocked ? 'blocked' : '',
    statement.error === null ? '' : 'failed',
    statement.replyAt === null ? 'lost' : '',
    CONTROL.has(statement.kind) ? 'control' : '',
  ].filter((state) => state !== '');
  const took = statement.replyAt === null ? 'no reply' : duration(statement.replyAt - statement.invokeAt);
  const tab = on ? html` tabindex="0"` : null;
  return html`<div class="box t${colour} ${states.join(' ')}" style="${place}" data-statement="${statement.index}" data-key="${lit.statementKey(statement.index)}" data-lights="${lit.ofStatement(statement.index)}"${tab}>
<p class="meta"><i class="session">s${statement.session + 1}</i> <b>T${statement.txn}</b> <span>${clip(statementOutcome(statement), 160)}</span>${statement.blocked ? html` <span class="tag">waited ${took}</span>` : null}</p>
${sqlTexts(statement, on)}${resultLines(statement)}${versionChips(statement, lit, words)}</div>`;
}

const CONTROL = sentKindsThat('control');

/** As it was written; what was added to it is seen on request alone. */
function sqlTexts(statement: ReportedStatement, on: boolean): Markup {
  const { sql } = statement;
  const own = ownSql(statement);
  if (own === sql) return sqlText(sql, on);
  return html`<div class="own">${sqlText(own, on)}</div><div class="sent">${sqlText(sql, on)}</div>`;
}

/** What the anomaly rests on opens in full; a page with all of every statement is twice the size, and no clearer. */
function sqlText(sql: string, on: boolean): Markup {
  if (sql.length <= SHOWN_SQL || !on) return html`<code>${sql.length <= SHOWN_SQL ? sql : clip(oneLine(sql), SHOWN_SQL)}</code>`;
  return html`<details class="long"><summary><code>${clip(oneLine(sql), SHOWN_SQL)}</code></summary><code>${sql}</code></details>`;
}

function resultLines(statement: ReportedStatement): Markup | null {
  const { result } = statement;
  const all = (result?.length ?? 0) + (statement.resultLeftOut ?? 0);
  if (result === null || all === 0) return null;
  const shown = result.slice(0, SHOWN_RESULT_ROWS).map((row) => clip(oneLine(resultRow(row)), 120));
  const more = all - shown.length;
  return html`<pre class="result">${[...shown, ...(more > 0 ? [`… ${counted(more, shown.length > 0 ? 'more row' : 'row')}`] : [])].join('\n')}</pre>`;
}

/** The versions of the rows that the cycle is about; one that was met twice is told once. */
function versionChips(statement: ReportedStatement, lit: Lights, words: RowWords): Markup | null {
  const told = new Set<string>();
  const chips = statement.versions.flatMap((version) => {
    const { role, table, rid, list } = version;
    const key = lit.rowKey(table, rid) ?? lit.rowKey(undefined, rid);
    const same = JSON.stringify([role, table, rid, list]);
    if (key === undefined || told.has(same)) return [];
    told.add(same);
    const values = role === 'write' ? words.changed(version) : words.held(version);
    return [
      html`<li class="chip" data-key="${key}" data-lights="${lit.ofRow(key)}">${VERBS[role]} <b>${clip(words.name(table, rid, list.split(',').at(-1)), 60)}</b>${values === '' ? null : html` <span>(${values})</span>`} <span class="list sent">${rid} ${clipFront(list, 48)}</span></li>`,
    ];
  });
  return chips.length === 0 ? null : html`<ul class="chips">${chips}</ul>`;
}

/** The same statements in real time; positions in percent, so it fits any width. */
function strip(drawn: readonly ReportedStatement[], sessions: readonly number[], colour: (txn: number) => number, lit: Lights): Markup {
  const start = drawn[0]?.invokeAt ?? 0;
  const end = Math.max(...drawn.map((statement) => statement.replyAt ?? statement.invokeAt), start + 1);
  const percent = (time: number): string => (((time - start) / (end - start)) * 100).toFixed(3);
  const bar = (statement: ReportedStatement): Markup => {
    const states = `${statement.blocked ? ' blocked' : ''}${statement.error === null ? '' : ' failed'}${statement.replyAt === null ? ' lost' : ''}`;
    const replyAt = statement.replyAt ?? end;
    return html`<i class="bar t${colour(statement.txn)}${states}" style="left:${percent(statement.invokeAt)}%;width:${percent(start + replyAt - statement.invokeAt)}%" title="T${statement.txn}: ${clip(oneLine(ownSql(statement)), 40)}" data-key="${lit.statementKey(statement.index)}" data-lights="${lit.ofStatement(statement.index)}"></i>`;
  };
  return html`<figure class="strip" aria-hidden="true">${sessions.map((session) => html`<span>Session ${session + 1}</span><div class="track">${drawn.filter((statement) => statement.session === session).map(bar)}</div>`)}<span></span><figcaption><span>0</span><span>real time</span><span>${duration(end - start)}</span></figcaption></figure>`;
}
