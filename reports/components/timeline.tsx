/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Draws the sessions' timeline with a lane for each session. A statement is a box from its invocation to its reply. Real
 * times are very uneven, because a lock wait lasts as long as a thousand statements. So the large picture has an ordinal
 * axis. Each invocation and each reply is one line of a CSS grid, in observed order, and the rows grow with their text.
 * A narrow strip above it shows the same statements in real time.
 *
 *     line 1  s1 sent      +----+
 *     line 2  s1 replied   +----+
 *     line 3  s2 sent               +----+
 *     line 4  s3 sent      +----+   |////|   s2 waits for a lock
 *     line 5  s3 replied   +----+   |////|
 *     line 6  s2 replied            +----+
 */
import type { VNode } from 'preact';
import type { AnomalyFinding, ReportedStatement } from '../../core/verdict/index.ts';
import { ownSql } from '../text/own-sql.ts';
import { rowWords } from '../text/row-words.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted, duration } from '../text/words.ts';
import type { Lights } from './lights.ts';
import { StatementBox } from './statement-box.tsx';

/** A timeline draws at most this many boxes, because nobody can follow more. */
const DRAWN_STATEMENTS = 60;
const TXN_COLOURS = 6;

interface Props {
  readonly finding: AnomalyFinding;
  readonly lit: Lights;
  /**
   * If set, the timeline shows at most this many statements. It takes those of the anomaly and the ends of their
   * transactions.
   */
  readonly only: number | undefined;
}

export function Timeline({ finding, lit, only }: Props): VNode {
  const drawn = drawnStatements(finding, only);
  if (drawn.length === 0) return <p class="quiet">No statements were recorded for this finding.</p>;
  const sessions = [...new Set(drawn.map((statement) => statement.session))].toSorted((a, b) => a - b);
  const lanes = { finding, drawn, sessions, colour: txnColours(finding), lit };
  const left = finding.statements.length - drawn.length;
  return (
    <>
      <Strip {...lanes} />
      <div
        class="lanes"
        tabIndex={0}
        role="group"
        aria-label={`Timeline of ${counted(sessions.length, 'session')}, statements from invocation to reply in observed order`}
      >
        <Grid {...lanes} />
      </div>
      {left > 0 && only === undefined && (
        <p class="quiet">
          {counted(left, 'statement')} of these transactions not drawn here (those the anomaly does not rest on); the finding's JSON file
          has all {finding.statements.length}.
        </p>
      )}
    </>
  );
}

interface Lanes {
  readonly finding: AnomalyFinding;
  readonly drawn: readonly ReportedStatement[];
  readonly sessions: readonly number[];
  readonly colour: (txn: number) => number;
  readonly lit: Lights;
}

function Grid({ finding, drawn, sessions, colour, lit }: Lanes): VNode {
  const lines = gridLines(drawn);
  const last = drawn.length * 2;
  const on = new Set(finding.anomaly.statements);
  const words = rowWords(finding);
  return (
    <div class="grid" style={`grid-template-columns:var(--axis) repeat(${sessions.length},minmax(var(--lane),1fr))`}>
      <span class="corner">sent at</span>
      {sessions.map((session, lane) => (
        <>
          <LaneName finding={finding} session={session} lane={lane} colour={colour} />
          <i class="lane" style={`grid-column:${lane + 2};grid-row:2/${last + 2}`}></i>
        </>
      ))}
      {drawn.map((statement, position) => {
        const { from, to } = lines[position] ?? { from: 1, to: 2 };
        const column = sessions.indexOf(statement.session) + 2;
        const place = `grid-row:${from + 1}/${(statement.replyAt === null ? last : to) + 1};grid-column:${column}`;
        return (
          <>
            <span class="at" style={`grid-row:${from + 1}`}>
              {duration(statement.invokeAt - (drawn[0]?.invokeAt ?? 0))}
            </span>
            <StatementBox
              statement={statement}
              on={on.has(statement.index)}
              colour={colour(statement.txn)}
              lit={lit}
              words={words}
              place={place}
            />
          </>
        );
      })}
    </div>
  );
}

interface LaneProps {
  readonly finding: AnomalyFinding;
  readonly session: number;
  readonly lane: number;
  readonly colour: (txn: number) => number;
}

function LaneName({ finding, session, lane, colour }: LaneProps): VNode {
  return (
    <h4 class="lane-name" style={`grid-column:${lane + 2}`}>
      Session {session + 1}
      <small>
        {finding.transactions
          .filter((txn) => txn.session === session)
          .map((txn) => (
            <span class={`t${colour(txn.id)}`}>
              T{txn.id}
              {txn.name !== undefined && ` ${txn.name}`} {txn.outcome === 'unknown' ? 'outcome unknown' : txn.outcome}
            </span>
          ))}
      </small>
    </h4>
  );
}

/** Numbers the colour of a transaction by its place in the finding. */
export function txnColours(finding: Pick<AnomalyFinding, 'transactions'>): (txn: number) => number {
  const order = finding.transactions.map((txn) => txn.id);
  return (txn) => Math.max(0, order.indexOf(txn)) % TXN_COLOURS;
}

/**
 * Chooses the statements of the anomaly, then begins and ends, then the earliest others, up to the limit. The
 * others are left out if `only` is set. The result is in the order of invocation.
 */
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

/**
 * Ranks the invocation and the reply of each statement among all instants. Ties keep the order of the statements, so no
 * box is empty.
 */
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

/** Shows the same statements in real time. Positions are percentages, so the strip fits any width. */
function Strip({ drawn, sessions, colour, lit }: Lanes): VNode {
  const start = drawn[0]?.invokeAt ?? 0;
  const end = Math.max(...drawn.map((statement) => statement.replyAt ?? statement.invokeAt), start + 1);
  const percent = (time: number): string => (((time - start) / (end - start)) * 100).toFixed(3);
  const bar = (statement: ReportedStatement): VNode => {
    const states = `${statement.blocked ? ' blocked' : ''}${statement.error === null ? '' : ' failed'}${statement.replyAt === null ? ' lost' : ''}`;
    const replyAt = statement.replyAt ?? end;
    return (
      <i
        class={`bar t${colour(statement.txn)}${states}`}
        style={`left:${percent(statement.invokeAt)}%;width:${percent(start + replyAt - statement.invokeAt)}%`}
        title={`T${statement.txn}: ${clip(oneLine(ownSql(statement)), 40)}`}
        data-key={lit.statementKey(statement.index)}
        data-lights={lit.ofStatement(statement.index)}
      ></i>
    );
  };
  return (
    <figure class="strip" aria-hidden="true">
      {sessions.map((session) => (
        <>
          <span>Session {session + 1}</span>
          <div class="track">{drawn.filter((statement) => statement.session === session).map(bar)}</div>
        </>
      ))}
      <span></span>
      <figcaption>
        <span>0</span>
        <span>real time</span>
        <span>{duration(end - start)}</span>
      </figcaption>
    </figure>
  );
}
