/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows a statement of the timeline with its text, its result, and the rows that it read and wrote. */
import { sentKindsThat } from '../../core/history/index.ts';
import type { VNode } from 'preact';
import type { ReportedStatement } from '../../core/verdict/index.ts';
import { VERBS } from '../text/in-users-rows.ts';
import { ownSql } from '../text/own-sql.ts';
import type { RowWords } from '../text/row-words.ts';
import { clip, clipFront, oneLine } from '../text/visible.ts';
import { counted, duration, resultRow, statementOutcome } from '../text/words.ts';
import type { Lights } from './lights.ts';

/** The box shows this many characters of a statement. The rest opens on request. */
const SHOWN_SQL = 180;
const SHOWN_RESULT_ROWS = 4;

interface BoxProps {
  readonly statement: ReportedStatement;
  /** True if the statement is part of the anomaly. */
  readonly on: boolean;
  readonly colour: number;
  readonly lit: Lights;
  readonly words: RowWords;
  readonly place: string;
}

export function StatementBox({ statement, on, colour, lit, words, place }: BoxProps): VNode {
  const states = [
    on ? 'on' : '',
    statement.blocked ? 'blocked' : '',
    statement.error === null ? '' : 'failed',
    statement.replyAt === null ? 'lost' : '',
    CONTROL.has(statement.kind) ? 'control' : '',
  ].filter((state) => state !== '');
  const took = statement.replyAt === null ? 'no reply' : duration(statement.replyAt - statement.invokeAt);
  return (
    <div
      class={`box t${colour} ${states.join(' ')}`}
      style={place}
      data-statement={statement.index}
      data-key={lit.statementKey(statement.index)}
      data-lights={lit.ofStatement(statement.index)}
      tabIndex={on ? 0 : undefined}
    >
      <p class="meta">
        <i class="session">s{statement.session + 1}</i> <b>T{statement.txn}</b> <span>{clip(statementOutcome(statement), 160)}</span>
        {statement.blocked && (
          <>
            {' '}
            <span class="tag">waited {took}</span>
          </>
        )}
      </p>
      <SqlTexts statement={statement} on={on} />
      <ResultLines statement={statement} />
      <VersionChips statement={statement} lit={lit} words={words} />
    </div>
  );
}

const CONTROL = sentKindsThat('control');

/** Shows the statement as it was written. The text that was sent appears only on request. */
function SqlTexts({ statement, on }: { readonly statement: ReportedStatement; readonly on: boolean }): VNode {
  const { sql } = statement;
  const own = ownSql(statement);
  if (own === sql) return <SqlText sql={sql} on={on} />;
  return (
    <>
      <div class="own">
        <SqlText sql={own} on={on} />
      </div>
      <div class="sent">
        <SqlText sql={sql} on={on} />
      </div>
    </>
  );
}

/**
 * Only a statement that is part of the anomaly opens in full. Full texts of all statements would double the size of the
 * page.
 */
function SqlText({ sql, on }: { readonly sql: string; readonly on: boolean }): VNode {
  if (sql.length <= SHOWN_SQL) return <code>{sql}</code>;
  const short = <code>{clip(oneLine(sql), SHOWN_SQL)}</code>;
  if (!on) return short;
  return (
    <details class="long">
      <summary>{short}</summary>
      <code>{sql}</code>
    </details>
  );
}

function ResultLines({ statement }: { readonly statement: ReportedStatement }): VNode | null {
  const { result } = statement;
  const all = (result?.length ?? 0) + (statement.resultLeftOut ?? 0);
  if (result === null || all === 0) return null;
  const shown = result.slice(0, SHOWN_RESULT_ROWS).map((row) => clip(oneLine(resultRow(row)), 120));
  const more = all - shown.length;
  return (
    <pre class="result">{[...shown, ...(more > 0 ? [`… ${counted(more, shown.length > 0 ? 'more row' : 'row')}`] : [])].join('\n')}</pre>
  );
}

interface ChipsProps {
  readonly statement: ReportedStatement;
  readonly lit: Lights;
  readonly words: RowWords;
}

/** Shows the versions of the rows that the cycle is about. A version that was met twice is shown once. */
function VersionChips({ statement, lit, words }: ChipsProps): VNode | null {
  const told = new Set<string>();
  const chips = statement.versions.flatMap((version) => {
    const { role, table, rid, list } = version;
    const key = lit.rowKey(table, rid) ?? lit.rowKey(undefined, rid);
    const same = JSON.stringify([role, table, rid, list]);
    if (key === undefined || told.has(same)) return [];
    told.add(same);
    const values = role === 'write' ? words.changed(version) : words.held(version);
    return [
      <li class="chip" data-key={key} data-lights={lit.ofRow(key)}>
        {VERBS[role]} <b>{clip(words.name(table, rid, list.split(',').at(-1)), 60)}</b>
        {values !== '' && (
          <>
            {' '}
            <span>({values})</span>
          </>
        )}{' '}
        <span class="list sent">
          {rid} {clipFront(list, 48)}
        </span>
      </li>,
    ];
  });
  return chips.length === 0 ? null : <ul class="chips">{chips}</ul>;
}
