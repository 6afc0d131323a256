/**
 * Jepsen histories as Elle reads them: each invocation is paired with its completion. They are EDN maps or JSON
 * objects, one a line or all in one vector. `:info` means that the outcome is unknown, never that it was aborted. An
 * invocation without a completion is unknown too. Real-time order is the order of the file, in which Jepsen writes
 * events as they happen, because `:time` may be missing or the same everywhere.
 */
import { TXN_STATUS } from '../../../core/index.ts';
import { asItems, asMap, get, printEdn, word } from './edn.ts';
import type { EdnMap, EdnValue } from './edn.ts';
import { readEdn } from './read-edn.ts';
import { formatError, lineOf } from '../format.ts';
import type { HistoryFile } from '../format.ts';

export interface ElleOperation {
  readonly process: string;
  readonly name: string;
  readonly f: string | undefined;
  /** `:isolation`, the level that the transaction runs at according to the file. */
  readonly isolation: string | undefined;
  /** The TXN_STATUS. */
  readonly status: number;
  readonly beginAt: number;
  /** Infinity if no completion tells the outcome. */
  readonly endAt: number;
  /** The `:time` of the two events, NaN where there is none. */
  readonly invokedTime: number;
  readonly completedTime: number;
  readonly invoked: EdnValue | undefined;
  /** The value of the completion. It is undefined if there was none, or if it is nil. */
  readonly completed: EdnValue | undefined;
  /** The byte offset of the event that has the value. */
  readonly at: number;
}

/** The part of an event that is kept. Its map is not, because a long history would hold all of them. */
interface Event {
  readonly type: string;
  readonly process: string | undefined;
  readonly index: EdnValue | undefined;
  readonly f: string | undefined;
  readonly isolation: string | undefined;
  readonly time: number;
  readonly value: EdnValue | undefined;
  readonly at: number;
  readonly position: number;
}

const TYPES = ['invoke', 'ok', 'fail', 'info'];

export function readElleOperations(file: HistoryFile, json: boolean): readonly ElleOperation[] {
  const events: Event[] = [];
  const add = (value: EdnValue, at: number): void => {
    const map = asMap(value);
    if (map === undefined)
      throw expected(file, at, printEdn(value).slice(0, 40), 'a map of an operation ({:type :invoke ...}) or a vector of them');
    const type = word(get(map, 'type'));
    if (type === undefined || !TYPES.includes(type)) throw expected(file, at, `:type ${type ?? 'missing'}`, ':invoke, :ok, :fail or :info');
    const process = get(map, 'process');
    events.push({
      type,
      process: process === undefined || process === null ? undefined : printEdn(process),
      index: get(map, 'index'),
      f: word(get(map, 'f')),
      isolation: word(get(map, 'isolation')),
      time: timeOf(map),
      value: get(map, 'value'),
      at,
      position: events.length,
    });
  };
  readEdn(
    file.bytes,
    file.name,
    (value, at) => {
      const items = asItems(value);
      if (items === undefined) add(value, at);
      else for (const item of items) add(item, at);
    },
    json,
  );
  return pair(file, events);
}

function pair(file: HistoryFile, events: readonly Event[]): readonly ElleOperation[] {
  const open = new Map<string, Event>();
  const operations: ElleOperation[] = [];
  const finish = (invoke: Event | undefined, completion: Event | undefined): void => {
    const source = completion ?? invoke;
    if (source === undefined) return;
    const first = invoke ?? source;
    const { index } = first;
    operations.push({
      process: source.process ?? `operation ${first.position}`,
      name: index === undefined || index === null ? String(first.position) : printEdn(index),
      f: source.f,
      isolation: source.isolation ?? first.isolation,
      status: completion?.type === 'ok' ? TXN_STATUS.committed : completion?.type === 'fail' ? TXN_STATUS.aborted : TXN_STATUS.unknown,
      beginAt: first.position,
      endAt: completion !== undefined && completion.type !== 'info' ? completion.position : Infinity,
      invokedTime: first.time,
      completedTime: completion === undefined ? Number.NaN : completion.time,
      invoked: first.value,
      completed: completion?.value ?? undefined,
      at: source.at,
    });
  };
  let nameless: Event | undefined;
  for (const event of events) {
    // Without processes, a completion belongs to the invocation right before it.
    const before = event.process === undefined ? nameless : open.get(event.process);
    const forget = (): void => {
      if (event.process === undefined) nameless = undefined;
      else open.delete(event.process);
    };
    // The nemesis and other processes that run no transactions write only info.
    if (event.process !== undefined && !/^-?\d+$/.test(event.process)) {
      if (event.type === 'info') continue;
    }
    if (event.type === 'invoke') {
      if (before !== undefined) {
        if (event.process !== undefined)
          throw expected(
            file,
            event.at,
            `an invocation of process ${event.process} whose operation of ${where(file, before)} is open`,
            'its completion first',
          );
        finish(before, undefined);
      }
      if (event.process === undefined) nameless = event;
      else open.set(event.process, event);
    } else {
      if (before === undefined && event.type === 'info') continue;
      finish(before, event);
      forget();
    }
  }
  if (nameless !== undefined) finish(nameless, undefined);
  for (const event of open.values()) finish(event, undefined);
  return operations.sort((a, b) => a.beginAt - b.beginAt);
}

function timeOf(map: EdnMap): number {
  const time = get(map, 'time');
  return typeof time === 'number' || typeof time === 'bigint' ? Number(time) : Number.NaN;
}

function where(file: HistoryFile, event: Event): string {
  return `line ${lineOf(file.bytes, event.at)}`;
}

/**
 * A transaction that is not known to have committed has a session of its own. Its commit may have taken effect after
 * later operations of its process.
 */
export function sessionName({ process, name, status }: ElleOperation): string {
  return status === TXN_STATUS.unknown ? `${process} (${name}, outcome unknown)` : process;
}

export function expected(file: HistoryFile, at: number, got: string, wanted: string): Error {
  return formatError({ file: file.name, line: lineOf(file.bytes, at), byte: at }, got, wanted);
}
