/**
 * A one-line language for tiny histories: one transaction a line, its operations separated by semicolons.
 *
 *     t1: r x ,0.0; w x ,0.0,1.1; commit
 *     t2@s1: r x ,0.0 y ,0.0; d2 y ,0.0; rollback
 *     t3[100-200]: i z ,3.1; commit
 *
 *     r / ru / rs / rn / rk ROW LIST ...   SELECT, FOR UPDATE, SHARE, NO KEY UPDATE, KEY SHARE, and what it saw (any number of rows)
 *     p ROW LIST                 the paper's probe before a DELETE
 *     z ROW LIST ...             the final read
 *     w ROW LIST, i ROW LIST     UPDATE, INSERT: the list ends in the new entry, which gives the write's number
 *     d2 ROW LIST                DELETE, the transaction's write number 2, and the version it removed
 *     w2, f2                     an UPDATE that was not observed; one that failed
 *     savepoint a; rollback to a; release a; commit; rollback; lost (a COMMIT without a reply)
 *
 * A leading ~ marks a statement incomplete. `auto` as the first operation: no BEGIN; then `w` alone is the transaction,
 * and `lost` after it loses its reply. @s1 is the session (default: its own), [from-to] begin and commit time (default:
 * the n-th transaction of a session runs from 1000 n to 1000 n + 900, so first transactions overlap).
 */
import { HistoryBuilder } from '../../core/history/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { History, HistoryEvent, InvokeEvent, Reference, RoundEvent, SentKind } from '../../core/history/index.ts';

export interface TextOptions {
  readonly level?: Level;
  readonly instrument?: RoundEvent['instrument'];
  /** Default true. */
  readonly complete?: boolean;
  /** The statements look for rows: what of that is not seen counts. Default: they name objects. */
  readonly looks?: true;
  readonly references?: readonly Reference[];
}

export function historyFromText(text: string, options: TextOptions = {}): History {
  const builder = new HistoryBuilder(roundOf(options));
  for (const event of eventsFromText(text, options)) builder.add(event);
  return builder.finish();
}

const KINDS: Readonly<Record<string, SentKind>> = {
  r: 'select',
  ru: 'select for update',
  rs: 'select for share',
  rn: 'select for no key update',
  rk: 'select for key share',
  p: 'probe',
  w: 'update',
  i: 'insert',
  d: 'delete',
  f: 'update',
  z: 'final',
};

export function eventsFromText(text: string, options: TextOptions = {}): HistoryEvent[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const ridOf = rowNames(lines);
  const events: HistoryEvent[] = [];
  const perSession = new Map<number, number>();
  for (const line of lines) {
    const match = /^t(\d+)(?:@s(\d+))?(?:\[(\d+)-(\d+)\])?:(.*)$/.exec(line);
    if (match === null) throw new Error(`no transaction: ${line}`);
    const t = Number(match[1]);
    const s = match[2] === undefined ? 1000 + t : Number(match[2]);
    const turn = perSession.get(s) ?? 0;
    perSession.set(s, turn + 1);
    const from = match[3] === undefined ? turn * 1000 : Number(match[3]);
    const to = match[4] === undefined ? from + 900 : Number(match[4]);
    events.push(
      ...transaction(
        t,
        s,
        from,
        to,
        match[5]!
          .split(';')
          .map((op) => op.trim())
          .filter((op) => op !== ''),
        ridOf,
      ),
    );
  }
  events.push({ e: 'close', round: 0, at: 1e9, complete: options.complete ?? true });
  return events;
}

function transaction(
  t: number,
  s: number,
  from: number,
  to: number,
  ops: readonly string[],
  ridOf: ReadonlyMap<string, string>,
): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const auto = ops[0] === 'auto';
  let n = 0;
  let at = from;
  const step = (to - from) / (4 * ops.length + 8);
  const tick = (): number => (at += step);
  const send = (k: SentKind, more: Partial<InvokeEvent> = {}): { s: number; t: number; n: number } => {
    events.push({ e: 'invoke', s, t, n, k, at: n === 0 ? from : tick(), sql: k.toUpperCase(), ...(auto ? { auto: true } : {}), ...more });
    return { s, t, n: n++ };
  };
  if (!auto) events.push({ e: 'ok', ...send('begin'), at: tick() });
  for (const [i, op] of ops.entries()) {
    if (op === 'auto') continue;
    const control = /^(savepoint|rollback to|release) (\w+)$/.exec(op);
    if (control !== null) {
      events.push({ e: 'ok', ...send(control[1] as SentKind, { name: control[2]! }), at: tick() });
      continue;
    }
    if (op === 'commit' || op === 'rollback') {
      events.push({ e: 'ok', ...send(op), at: to });
      continue;
    }
    if (op === 'lost') {
      if (!auto)
        events.push({
          e: 'fail',
          ...send('commit'),
          at: to,
          code: '08006',
          class: 'ambiguous commit',
          scope: 'connection',
          message: 'gone',
        });
      continue;
    }
    const [word = '', ...rest] = op.split(/\s+/);
    const parts = /^(~?)(r[uskn]|[rpwidfz])(\d*)$/.exec(word);
    if (parts === null) throw new Error(`no operation: ${op}`);
    const letter = parts[2]!;
    const k = KINDS[letter]!;
    const triples: string[] = [];
    for (let j = 0; j + 1 < rest.length; j += 2) triples.push('t', ridOf.get(rest[j]!)!, rest[j + 1]!);
    const isWrite = 'widf'.includes(letter);
    const seq = parts[3] === '' ? Number(rest[1]?.split('.').at(-1)) : Number(parts[3]);
    const locks = letter === 'r' ? [] : k.startsWith('select') ? ['t'] : undefined;
    const sent = send(k, { reads: 'exact', ...(isWrite ? { seq, table: 't' } : {}), ...(locks && { locks }) });
    const done = auto ? to : tick();
    if (letter === 'f' || (auto && ops[i + 1] === 'lost')) {
      const lost = letter !== 'f';
      events.push({
        e: 'fail',
        ...sent,
        at: done,
        code: 'X',
        class: lost ? 'connection' : 'constraint',
        scope: lost ? 'connection' : 'statement',
        message: 'no',
      });
    } else {
      const role = letter === 'd' ? 'd' : isWrite ? 'w' : 'r';
      events.push({
        e: 'ok',
        ...sent,
        at: done,
        ...(triples.length > 0 ? { [role]: triples } : {}),
        ...(parts[1] === '~' ? { incomplete: 'said so' } : {}),
      });
    }
  }
  return events;
}

/** The row ids that `historyFromText` gives to the rows of a text. */
export function rowIdsOf(text: string): ReadonlyMap<string, string> {
  return rowNames(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/** Rows get their ids in order of appearance; a row that is inserted is named for its birth. */
function rowNames(lines: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of lines) {
    for (const [, name, txn, seq] of line.matchAll(/\bi\s+(\w+)\s+,(\d+)\.(\d+)/g)) names.set(name!, `r${txn}.${seq}_${names.size}`);
  }
  for (const line of lines) {
    for (const [, name] of line.matchAll(/\b([a-z]\w*)\s+(?=[\d,.]+\d)/g)) if (!names.has(name!)) names.set(name!, `r0.0_${names.size}`);
  }
  return names;
}

export function roundOf(options: TextOptions = {}): RoundEvent {
  return {
    e: 'round',
    round: 0,
    seed: 'text',
    dialect: 'none',
    server: 'none',
    level: options.level ?? 'read-committed',
    mode: 'schedule',
    instrument: options.instrument ?? 'exact',
    sessions: 1,
    endpoints: [],
    tables: ['t'],
    configuration: {},
    ...(options.looks === true ? {} : { objects: true }),
    ...(options.references && { references: options.references }),
  };
}
