/** Composes the key-value workloads for a run: uninstrumented cases, judged by the values that they returned. */
import type { ObjectContents, ObjectOperation } from '../../core/index.ts';
import { defaultObjects, generateKeyValue, objectOperation } from '../../schema-gen/index.ts';
import type { KeyValueKind } from '../../schema-gen/index.ts';
import type { Workload } from '../judge/workload.ts';
import type { WorkloadOptions } from './options.ts';
import { assessKeyValue } from '../judge/assess/key-value/values.ts';
import { boundCase } from '../judge/assess/key-value/bound-case.ts';
import { assessLists } from '../judge/assess/key-value/lists.ts';

interface Kind extends Pick<Workload, 'assess'> {
  readonly contents: ObjectContents;
}

const bound: Workload['assess'] = (history, testCase) => ({ ...assessKeyValue(history), ran: boundCase(testCase, history) });
const APPLICATION: Kind = { contents: 'repeated', assess: bound };

const KINDS: Readonly<Record<KeyValueKind, Kind>> = {
  mini: { contents: 'values', assess: assessKeyValue },
  general: { contents: 'values', assess: assessKeyValue },
  append: { contents: 'lists', assess: assessLists },
  lwt: { contents: 'values', assess: bound },
  'twitter-kv': APPLICATION,
  'rubis-kv': APPLICATION,
  'tpcc-kv': APPLICATION,
};

export function keyValueWorkload(
  kind: KeyValueKind,
  { mode, sessions, objects, distribution, transactions, operations, concurrency, late }: WorkloadOptions,
): Workload {
  const given = {
    ...(sessions !== undefined && { sessions }),
    ...(objects !== undefined && { objects }),
    ...(distribution !== undefined && { distribution }),
    ...(transactions !== undefined && { transactions }),
    ...(operations !== undefined && { operations }),
    ...(late !== undefined && { late }),
  };
  const there = objects ?? defaultObjects(kind, mode);
  const { sessions: _, ...words } = { ...given, ...(concurrency !== undefined && { concurrency }) }; // The run's own words name the sessions.
  return {
    words: [`--workload ${kind}`, ...Object.entries(words).map(([name, value]) => `--${name} ${value}`)].join(' '),
    instrument: 'none',
    objects: {
      contents: KINDS[kind].contents,
      operationOf: late === undefined ? objectOperation : (statement) => withLate(objectOperation(statement), there),
    },
    ...(concurrency !== undefined && { concurrency }),
    caseOf: (seed) => generateKeyValue(seed, { kind, mode, ...given }),
    assess: KINDS[kind].assess,
  };
}

/** Objects from this number on are absent at first. */
function withLate(operation: ObjectOperation | undefined, there: number): ObjectOperation | undefined {
  return operation?.do === 'read' && operation.key !== undefined && operation.key >= there ? { ...operation, late: true } : operation;
}
