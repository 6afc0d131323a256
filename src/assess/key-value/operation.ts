/**
 * Which object a statement of the key-value workloads is about, and what it writes, read off the SQL as it is on record, where tables have no schema: a
 * round is judged from its record alone, during the run and from a file.
 */
import { KEY_VALUE_TABLE } from '../../../schema-gen/index.ts';

export interface KeyValueOperation {
  readonly write: boolean;
  /** Absent: a read of every object. */
  readonly key?: number;
  /** What a write of one value writes; absent for an append. */
  readonly value?: number;
  /** It applies only if the object holds what it expects. */
  readonly conditional?: true;
  /** Absent: it expected NULL, which no object holds. */
  readonly expected?: number;
}

const OBJECT = String.raw`\(${KEY_VALUE_TABLE}\.k = (\d+)\)`;
const EXPECTED = String.raw`\(${OBJECT} AND \(${KEY_VALUE_TABLE}\.v = (\d+|CAST\(NULL AS \w+\))\)\)`;
const READ = new RegExp(String.raw`^SELECT (?:${KEY_VALUE_TABLE}\.k AS k, )?${KEY_VALUE_TABLE}\.v AS v FROM ${KEY_VALUE_TABLE} AS ${KEY_VALUE_TABLE}(?: WHERE (?:${OBJECT}|${EXPECTED}))?$`);
const UPDATE = new RegExp(String.raw`^UPDATE ${KEY_VALUE_TABLE} SET v = (.+) WHERE ${OBJECT}$`);
const COMPARE_AND_SET = new RegExp(String.raw`^UPDATE ${KEY_VALUE_TABLE} SET v = (\d+) WHERE ${EXPECTED}$`);
const UPSERT = new RegExp(String.raw`^INSERT INTO ${KEY_VALUE_TABLE} \(k, v\) VALUES \((\d+), `);

/** Undefined for what is no statement of these workloads. */
export function keyValueOperation(sql: string): KeyValueOperation | undefined {
  const bare = sql.replaceAll(/["`]/g, '');
  const read = READ.exec(bare);
  if (read) {
    const key = read[1] ?? read[2];
    return { write: false, ...(key !== undefined && { key: Number(key) }), ...expectedOf(read[3]) };
  }
  const compared = COMPARE_AND_SET.exec(bare);
  if (compared) return { write: true, key: Number(compared[2]), value: Number(compared[1]), ...expectedOf(compared[3]) };
  const update = UPDATE.exec(bare);
  if (update) return { write: true, key: Number(update[2]), ...(/^\d+$/.test(update[1]!) && { value: Number(update[1]) }) };
  const upsert = UPSERT.exec(bare);
  return upsert ? { write: true, key: Number(upsert[1]) } : undefined;
}

function expectedOf(word: string | undefined): Pick<KeyValueOperation, 'expected' | 'conditional'> {
  if (word === undefined) return {};
  return { conditional: true, ...(/^\d+$/.test(word) && { expected: Number(word) }) };
}
