import { describe, expect, test } from 'vitest';
import { FORMATS, checkLwt, checkStrong, detectFormat, formatNamed, listAppendToEvents } from '../../../../check/index.ts';
import type { HistoryFile, ListHistory, ListTxn, TransactionHistory } from '../../../../check/index.ts';
import { TXN_STATUS, UsageError } from '../../../../core/base/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import { OP, kvKey, kvValue } from '../../../../core/kv/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { within } from '../../../budget.ts';
import { mutate } from '../../mutate-bytes.ts';
import { readTransactions } from '../../read-transactions.ts';
import { randomHistory, toKv } from '../strong/random-history.ts';
import type { SmallTxn } from '../strong/random-history.ts';

const MUTATIONS = 10_000;

describe('history formats', () => {
  for (const format of FORMATS.filter((each) => each.write !== undefined)) {
    test(`${format.name}: what it writes is detected, reads back the same, and is judged the same`, () => {
      const random = createRandom(`round trip ${format.name}`);
      for (const _ of within(200, { least: 20 })) {
        const parsed = sample(format.name, random);
        const files = format.write!(parsed);
        expect(detectFormat(files).name).toBe(format.name);
        const again = readTransactions(format.name, files);
        expect(show(again)).toEqual(show(parsed));
        // what was read once is written and read without any further loss
        const text = (history: TransactionHistory): unknown => format.write!(history).map((file) => [file.name, ...file.bytes]);
        expect(text(readTransactions(format.name, format.write!(again)))).toEqual(text(again));
        if (parsed.kind !== 'kv' || again.kind !== 'kv') continue;
        const answers = (history: KvHistory): unknown =>
          checkStrong(history, ['snapshot-isolation', 'serializable']).map((verdict) => verdict.answer);
        expect(answers(again.history), new TextDecoder().decode(files[0]!.bytes)).toEqual(answers(parsed.history));
      }
    });

    test(`${format.name}: ${MUTATIONS} mutations end in a history or a UsageError that names the file`, () => {
      const random = createRandom(`fuzz ${format.name}`);
      let accepted = 0;
      let base = format.write!(sample(format.name, random));
      const cases = within(MUTATIONS, { least: 1000 });
      for (const i of cases) {
        if (i % 50 === 0) base = format.write!(sample(format.name, random));
        const at = random.int(0, base.length - 1);
        const files = base.map((file, f): HistoryFile => (f === at ? { name: file.name, bytes: mutate(file.bytes, random) } : file));
        try {
          const parsed = readTransactions(format.name, files);
          accepted++;
          if (parsed.kind === 'list') listAppendToEvents(parsed.history);
          else if (parsed.history.txnCount <= 12)
            checkStrong(parsed.history, ['snapshot-isolation', 'serializable', 'strict-serializable'], { budget: 200 });
        } catch (error) {
          expect(error, String(error)).toBeInstanceOf(UsageError);
        }
      }
      expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBeLessThan(cases.ran);
    });

    test(`${format.name}: a file cut anywhere inside an element is refused`, () => {
      const random = createRandom(`cut ${format.name}`);
      for (const _ of within(40, { least: 5 })) {
        const parsed = sample(format.name, random);
        const files = format.write!(parsed);
        const whole = files[files.length - 1]!;
        for (let length = 1; length < whole.bytes.length; length++) {
          if (mayEnd(format.name, whole.bytes, length)) continue;
          const cut = [...files.slice(0, -1), { name: whole.name, bytes: whole.bytes.slice(0, length) }];
          expect(() => format.read(cut), `${format.name} cut to ${length} of ${whole.bytes.length} bytes`).toThrow(UsageError);
        }
      }
    });
  }

  test('an error says file, line, what was there and what was expected', () => {
    const bytes = new TextEncoder().encode('r 1 1\n-----\nw 1 x\n');
    expect(() => formatNamed('test').read([{ name: 'h.txt', bytes }])).toThrow(/h\.txt: line 3: got "w 1 x", expected "r KEY VALUE"/);
    expect(() => formatNamed('elle').read([{ name: 'h.edn', bytes: new TextEncoder().encode('{:type :ok\n :value [[:r 1 nil]') }])).toThrow(
      /h\.edn: line 2, byte 30: got the end of the file, expected "\]"/,
    );
    expect(() => formatNamed('elle').read([{ name: 'deep.edn', bytes: new TextEncoder().encode('['.repeat(100_000)) }])).toThrow(
      /at most 200 levels/,
    );
    expect(() => formatNamed('nonsense')).toThrow(/expected one of plume, test, cobra/);
    expect(() => detectFormat([{ name: 'a.bin', bytes: new Uint8Array([0, 1, 2]) }])).toThrow(UsageError);
  });

  test('EDN as it occurs: comments, discards, tags, sets, nested maps, missing commas, keyword keys', () => {
    const text = `; a comment
#jepsen.history.Op{:index 0 :type :invoke, :process 0 :f :txn :value [[:w :x 1][:r :y nil]] :extra {:a #{1 2} :b (1 2) :c \\c :d 1.5M}}
{:type :info :process :nemesis :f :start :value #_[ignored {:really 1}] nil}
{:index 1 :type :ok :process 0 :f :txn :value [[:w :x 1] [:r :y nil]], :at #inst "2020-01-01T00:00:00Z"}
{:index 2 :type :invoke :process 1 :f :txn :value [[:r :x nil]]} {:index 3 :type :info :process 1 :f :txn :value [[:r :x 1]] :error :timeout}
{:index 4 :type :invoke :process 2 :f :txn :value [[:w :y 99999999999999999]]} ; never completed`;
    const parsed = formatNamed('elle').read([{ name: 'h.edn', bytes: new TextEncoder().encode(text) }]);
    if (parsed.kind !== 'kv') throw new Error('a register history');
    const { history } = parsed;
    expect([...history.status]).toEqual([TXN_STATUS.committed, TXN_STATUS.unknown, TXN_STATUS.unknown]);
    expect([0, 1, 2].map((s) => history.sessionName?.(s))).toEqual(['0', '1 (2, outcome unknown)', '2 (4, outcome unknown)']);
    expect([...history.kind]).toEqual([OP.write, OP.readInitial, OP.write]);
    expect(kvValue(history, 2)).toBe(99999999999999999n);
    expect(history.keyName?.(history.keyLow[0]!, 0)).toBe(':x');
  });

  const log = (
    f: string,
    ...events: readonly (readonly [process: number, type: string, invoked: string, completed?: string])[]
  ): Uint8Array =>
    new TextEncoder().encode(
      events
        .map(
          ([process, type, invoked, completed = invoked]) =>
            `{:type :invoke :process ${process} :f :${f} :value ${invoked}} {:type :${type} :process ${process} :f :${f} :value ${completed}}`,
        )
        .join('\n'),
    );
  const strong = (format: string, bytes: Uint8Array): readonly unknown[] => {
    const parsed = formatNamed(format).read([{ name: 'h.edn', bytes }]);
    if (parsed.kind !== 'kv') throw new Error('a register history');
    return checkStrong(parsed.history, ['snapshot-isolation', 'serializable', 'strict-serializable']).map(({ answer }) => answer);
  };

  test('a transaction of unknown outcome may commit after what its process did next', () => {
    expect(strong('elle', log('txn', [0, 'info', '[[:w :x 1]]'], [0, 'ok', '[[:r :x nil]]'], [1, 'ok', '[[:r :x 1]]']))).toEqual([
      true,
      true,
      true,
    ]);
    expect(strong('elle', log('txn', [0, 'ok', '[[:w :x 1]]'], [0, 'ok', '[[:r :x nil]]'], [1, 'ok', '[[:r :x 1]]']))).toEqual([
      false,
      false,
      false,
    ]);
    const mixed = [
      [0, 'info', '[:x 1]'],
      [0, 'ok', '[:x nil]'],
      [1, 'ok', '[:x 1]'],
    ].map(([process, type, value], i) => {
      const event = (kind: string | number | undefined): string =>
        `{:type :${kind} :process ${process} :f :${i === 0 ? 'write' : 'read'} :value ${value}}`;
      return `${event('invoke')}\n${event(type)}`;
    });
    expect(strong('lwt', new TextEncoder().encode(mixed.join('\n')))).toEqual([true, true, true]);
  });

  test('what the invocation of a read left open is no result, though it committed', () => {
    expect(strong('elle', log('txn', [0, 'ok', '[[:w :x 1]]'], [0, 'ok', '[[:r :x nil]]', 'nil']))).toEqual([true, true, true]);
    expect(
      strong(
        'lwt',
        new TextEncoder().encode(
          [
            '{:type :invoke :process 0 :f :write :value [:x 1]}',
            '{:type :ok :process 0 :f :write :value [:x 1]}',
            '{:type :invoke :process 0 :f :read :value [:x nil]}',
            '{:type :ok :process 0 :f :read :value nil}',
          ].join('\n'),
        ),
      ),
    ).toEqual([true, true, true]);
  });

  test('JSON integers of 64 bits stay exact', () => {
    const text =
      '[{"type":"invoke","process":1,"value":[["w",9007199254740993,-9223372036854775808]]},\n{"type":"ok","process":1,"value":[["w",9007199254740993,-9223372036854775808]]}]';
    const parsed = formatNamed('elle-json').read([{ name: 'h.json', bytes: new TextEncoder().encode(text) }]);
    if (parsed.kind !== 'kv') throw new Error('a register history');
    expect([kvKey(parsed.history, 0), kvValue(parsed.history, 0)]).toEqual([9007199254740993n, -9223372036854775808n]);
  });

  test('lightweight transactions: a chain in real-time order is linearizable, a late reader of an old value is not', () => {
    const edn = (lastBegin: number): Uint8Array =>
      new TextEncoder().encode(
        [
          '{:type :invoke :process 0 :f :write :value [1 10] :time 0}',
          '{:type :ok :process 0 :f :write :value [1 10] :time 5}',
          '{:type :invoke :process 1 :f :cas :value [1 [10 11]] :time 6}',
          '{:type :ok :process 1 :f :cas :value [1 [10 11]] :time 9}',
          `{:type :invoke :process 2 :f :read :value [1 nil] :time ${lastBegin}}`,
          '{:type :ok :process 2 :f :read :value [1 10] :time 20}',
        ].join('\n'),
      );
    const judge = (lastBegin: number): ReturnType<typeof checkLwt> => {
      const files = [{ name: 'h.edn', bytes: edn(lastBegin) }];
      expect(detectFormat(files).name).toBe('lwt');
      const parsed = formatNamed('lwt').read(files);
      if (parsed.kind !== 'kv') throw new Error('a register history');
      expect(checkStrong(parsed.history, ['strict-serializable'])[0]!.answer).toBe(checkLwt(parsed.history).answer);
      return checkLwt(parsed.history);
    };
    expect(judge(8).answer).toBe(true);
    const late = judge(10);
    expect(late.answer).toBe(false);
    expect(late.anomalies[0]!.name).toBe('NotLinearizable');
  });

  test('a list history keeps its verdict through EDN, JSON and events', () => {
    const random = createRandom('lists');
    for (let i = 0; i < 50; i++) {
      const history = randomLists(random);
      const anomalies = [history, reread('elle', history), reread('elle-json', history)].map((list) => {
        const { round, events } = listAppendToEvents(list);
        const builder = new HistoryBuilder(round);
        for (const event of events) builder.add(event);
        return inferDependencies(builder.finish()).targets.length;
      });
      expect(new Set(anomalies).size).toBe(1);
    }
  });

  test('an elle event may name the level of its transaction, which is written again', () => {
    const event = (type: string, level: string): string =>
      `{:type :${type} :process 0 :f :txn :value [[:w :x 1]] :isolation :${level}} {:type :${type === 'invoke' ? 'ok' : type} :process 0 :f :txn :value [[:w :x 1]]}`;
    const read = (format: string, text: string): KvHistory => {
      const parsed = formatNamed(format).read([{ name: 'h', bytes: new TextEncoder().encode(text) }]);
      if (parsed.kind !== 'kv') throw new Error('a register history');
      return parsed.history;
    };
    const history = read('elle', event('invoke', 'read-committed').replaceAll(':x', '1'));
    expect(history.level?.(0)).toBe('read-committed');
    for (const format of ['elle', 'elle-json']) {
      const [file] = formatNamed(format).write!({ kind: 'kv', history });
      expect(read(format, new TextDecoder().decode(file!.bytes)).level?.(0), format).toBe('read-committed');
    }
    const other = read('elle', event('invoke', 'chaos'));
    expect([other.level, other.notes]).toEqual([undefined, [{ code: 'levels-not-known', data: { names: ['chaos'] } }]]);
  });

  test('an elle file of locks is refused: its operations are no transactions', () => {
    const lines = ['invoke', 'ok']
      .flatMap((type) => ['acquire', 'release'].map((f) => `{:type :${type}, :process 0, :f :${f}, :value nil}`))
      .sort((a, b) => (a.includes('acquire') ? 0 : 1) - (b.includes('acquire') ? 0 : 1));
    const file = { name: 'locks.edn', bytes: new TextEncoder().encode(lines.join('\n')) };
    expect(() => formatNamed('elle').read([file])).toThrow(/locks\.edn: line 2,.*:f :acquire/);
  });
});

function reread(format: string, history: ListHistory): ListHistory {
  const parsed = formatNamed(format).read(formatNamed(format).write!({ kind: 'list', history }));
  if (parsed.kind !== 'list') throw new Error('a list history');
  return parsed.history;
}

/** A history that the format can express. */
function sample(format: string, random: Random): TransactionHistory {
  if (format.startsWith('elle') && random.chance(0.4)) return { kind: 'list', history: randomLists(random) };
  if (format === 'lwt') return { kind: 'kv', history: randomLwt(random) };
  const txns = randomHistory(random, { mini: random.chance(0.5), unknowns: format.startsWith('elle') }).filter((txn) => txn.ops.length > 0);
  if (format === 'test' || format === 'cobra') for (const txn of txns) txn.outcome = 'committed';
  if (format === 'cobra') for (const txn of txns) for (const op of txn.ops) if (op.value === 999) op.value = 0;
  // plume has one id for all aborted transactions, so neighbours in a session would melt into one
  const kept =
    format === 'plume'
      ? txns.filter((txn, i) => txn.outcome !== 'aborted' || txns.findIndex((other) => other.outcome === 'aborted') === i)
      : txns;
  // what an unfinished transaction read is not in a Jepsen log, nor what of its session came before its commit
  const logged = kept
    .map((txn, i) => (txn.outcome === 'unknown' ? { ...txn, session: 100 + i, ops: txn.ops.filter((op) => op.write) } : txn))
    .filter((txn) => txn.ops.length > 0);
  if (format.startsWith('elle')) return { kind: 'kv', history: toKv(overlapFree(logged)) };
  if (format === 'test') return { kind: 'kv', history: toKv(withExplicitInitials(txns), false) };
  return { kind: 'kv', history: toKv(kept, false) };
}

/** The format has no initial values: a transaction writes them. */
function withExplicitInitials(txns: readonly SmallTxn[]): readonly SmallTxn[] {
  for (const txn of txns) for (const op of txn.ops) if (op.value === 0) op.value = 1000 + op.key;
  return [
    { session: 9, outcome: 'committed', begin: -2, end: -1, ops: [0, 1, 2, 3].map((key) => ({ write: true, key, value: 1000 + key })) },
    ...txns,
  ];
}

/** Elle needs a process to finish one transaction before it begins the next. */
function overlapFree(txns: readonly SmallTxn[]): readonly SmallTxn[] {
  txns.forEach((txn, i) => {
    txn.begin = 10 * i;
    txn.end = 10 * i + 5;
  });
  return txns;
}

function randomLwt(random: Random): KvHistory {
  const txns: SmallTxn[] = [];
  let clock = 0;
  let nextValue = 1;
  for (let key = random.int(1, 3); key > 0; key--) {
    let value = nextValue++;
    txns.push({ session: random.int(0, 3), outcome: 'committed', begin: 0, end: 0, ops: [{ write: true, key, value }] });
    for (let n = random.int(0, 4); n > 0; n--) {
      const old = value;
      const read = { write: false, key, value: old };
      if (random.chance(0.3)) txns.push({ session: random.int(0, 3), outcome: 'committed', begin: 0, end: 0, ops: [read] });
      else
        txns.push({
          session: random.int(0, 3),
          outcome: random.pick(['committed', 'committed', 'unknown', 'aborted'] as const),
          begin: 0,
          end: 0,
          ops: [read, { write: true, key, value: (value = nextValue++) }],
        });
    }
  }
  for (const txn of txns) {
    txn.begin = clock++;
    txn.end = clock++;
  }
  return toKv(txns.map((txn, i) => (txn.outcome === 'unknown' ? { ...txn, session: 100 + i } : txn)));
}

function randomLists(random: Random): ListHistory {
  const lists = new Map<string, string[]>();
  let next = 1;
  const transactions = Array.from({ length: random.int(1, 8) }, (_, i): ListTxn => ({
    session: i % 3,
    outcome: random.pick(['committed', 'committed', 'committed', 'aborted', 'unknown'] as const),
    beginAt: 2 * i,
    endAt: 2 * i + 1,
    ops: Array.from({ length: random.int(1, 3) }, () => {
      const key = String(random.int(1, 3));
      const list = lists.get(key) ?? [];
      lists.set(key, list);
      if (random.chance(0.5)) return { kind: 'read' as const, key, elements: list.slice(0, random.int(0, list.length)) };
      list.push(String(next++));
      return { kind: 'append' as const, key, element: String(next - 1) };
    }),
  }));
  // something must show that these are lists
  if (!transactions.some((txn) => txn.ops.some((op) => op.kind === 'append' || txn.outcome === 'committed'))) return randomLists(random);
  // what an aborted or unfinished transaction read is not in a log
  const logged = transactions.map((txn): ListTxn =>
    txn.outcome === 'committed'
      ? txn
      : {
          ...txn,
          endAt: txn.outcome === 'unknown' ? Infinity : txn.endAt,
          ops: txn.ops.map((op) => (op.kind === 'read' ? { ...op, elements: undefined } : op)),
        },
  );
  return { transactions: withSessionsInOrder(logged), sessionName: undefined, txnName: undefined, notes: [] };
}

/** Sessions are numbered as they first occur, which is what a reader can know. */
function withSessionsInOrder(txns: readonly ListTxn[]): readonly ListTxn[] {
  const seen: number[] = [];
  return txns.map((txn) => {
    if (!seen.includes(txn.session)) seen.push(txn.session);
    return { ...txn, session: seen.indexOf(txn.session) };
  });
}

/** What a history says, without what a format may not keep (times, unknown reads, names). */
function show(parsed: TransactionHistory): unknown {
  if (parsed.kind === 'list') {
    const anyList = parsed.history.transactions.some((txn) => txn.outcome === 'committed' || txn.ops.some((op) => op.kind === 'append'));
    return parsed.history.transactions.map((txn) => [
      txn.session,
      txn.outcome,
      txn.ops.map((op) =>
        op.kind === 'append'
          ? ['append', op.key, op.element]
          : ['read', op.key, txn.outcome === 'committed' && anyList ? op.elements : undefined],
      ),
    ]);
  }
  const { history } = parsed;
  const sessions: unknown[] = [];
  for (let s = 0; s < history.sessionCount; s++) {
    const txns: unknown[] = [];
    for (let t = history.sessionStart[s]!; t < history.sessionStart[s + 1]!; t++) {
      const ops: string[] = [];
      for (let op = history.opStart[t]!; op < history.opEnd[t]!; op++) {
        const read = history.kind[op] !== OP.write;
        if (read && history.status[t] !== TXN_STATUS.committed && history.beginAt !== undefined) continue; // its result is not kept
        const nothing = history.kind[op] === OP.readInitial || (read && kvValue(history, op) === 0n);
        ops.push(`${read ? 'r' : 'w'} ${kvKey(history, op)} ${nothing ? 'nothing' : kvValue(history, op)}`);
      }
      txns.push([history.status[t], ops]);
    }
    sessions.push(txns);
  }
  return sessions;
}

/** Places where a cut file cannot be told from a whole one (docs/CHECKERS.md lists them per format). */
function mayEnd(format: string, bytes: Uint8Array, length: number): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, length));
  const next = bytes[length];
  switch (format) {
    case 'plume': // after the closing bracket of a line
      return text.endsWith(')') || text.endsWith('\n');
    case 'test': // between lines and inside the digits of a value; a shorter rule of - or = is still one
      return next === 10 || text.endsWith('\n') || /\n?[rw] -?\d+ -?\d+$/.test(text) || /(^|\n)[-=]+$/.test(text);
    case 'cobra': // after a commit
      return text.length >= 9 && text.at(-9) === 'C' && cobraRecordEnds(bytes, length);
    case 'elle':
    case 'lwt': // between operations
      return text.endsWith('}') || text.endsWith('\n');
    case 'elle-json':
    case 'dbcop-json': // the end of the one value; white space after it
      return text.trimEnd() === new TextDecoder('latin1').decode(bytes).trimEnd();
    default:
      return false;
  }
}

function cobraRecordEnds(bytes: Uint8Array, length: number): boolean {
  const size: Readonly<Record<number, number>> = { 83: 9, 67: 9, 87: 25, 82: 33 };
  let at = 0;
  while (at < length) at += size[bytes[at]!] ?? 1;
  return at === length;
}
