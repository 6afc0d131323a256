/**
 * Generates one transaction: its statements with savepoints among them, and its end. It may also be one autocommit
 * statement.
 */
import { contentsOf, isQuery, locksOf } from '../../core/index.ts';
import type { BeginForm, Random, Select, Statement, TxnPlan } from '../../core/index.ts';
import type { Domains } from './schema/domain.ts';
import type { GenerateOptions } from './options.ts';
import type { Place } from './context.ts';
import { generateCte, generateRecursive } from './query/cte.ts';
import { generateAggregate, generateDistinct, generateGroup, generateWindow } from './query/grouped.ts';
import { generateInsertSelect } from './write/insert-select.ts';
import { generateDeleteUsing, generateParentWrite, generateUpdateFrom, generateViewUpdate } from './write/joined-write.ts';
import { generateMerge } from './write/merge.ts';
import { generateSelect, generateWhole, relocked } from './query/query.ts';
import type { TableInfo, ViewInfo } from './table-info.ts';
import { generateFocus } from './focus.ts';
import { generateSetOperation, generateUnion } from './query/union.ts';
import { withFailure } from './write/half-way.ts';
import { generateUpsert } from './write/upsert.ts';
import { generateWithWrites } from './write/with-writes.ts';
import { generateDelete, generateInsert, generateUpdate, type WritePlace } from './write/write.ts';

/** The room for the fresh numbers of one transaction: 10 inserts of 3 rows with two fresh columns each. */
const FRESH_PER_STATEMENT = 6;
/** The fresh numbers of INSERTs that are to fail. */
const FAILURES_FROM = 400_000;

const STATEMENTS: Readonly<Record<keyof GenerateOptions['statements'], (random: Random, place: WritePlace) => Statement>> = {
  select: generateSelect,
  unionAll: generateUnion,
  insert: generateInsert,
  update: generateUpdate,
  delete: generateDelete,
  aggregate: generateAggregate,
  group: generateGroup,
  distinct: generateDistinct,
  window: generateWindow,
  cte: generateCte,
  recursive: generateRecursive,
  setOperation: generateSetOperation,
  upsert: generateUpsert,
  insertSelect: generateInsertSelect,
  updateFrom: generateUpdateFrom,
  updateView: generateViewUpdate,
  deleteUsing: generateDeleteUsing,
  parent: generateParentWrite,
  merge: generateMerge,
  withWrites: generateWithWrites,
};

/** The data that all transactions of a case share, and the id of this one. */
type Given = readonly [domains: Domains, tables: readonly TableInfo[], views: readonly ViewInfo[], id: number];

export function generateTransaction(random: Random, options: GenerateOptions, ...given: Given): TxnPlan {
  const plain = plainTransaction(random, options, ...given);
  const plan = options.failureShare === 0 ? plain : failing(random.fork('failure'), options, plain, ...given);
  return begun(random.fork('begin'), options, plan);
}

/** The keys of failing statements are far above those of all other statements. */
function failing(random: Random, options: GenerateOptions, plan: TxnPlan, ...[domains, tables, views, id]: Given): TxnPlan {
  let given = FAILURES_FROM + id * FRESH_PER_STATEMENT;
  return withFailure(random, { options, tables, views, domains, focus: generateFocus(random, tables), fresh: () => given++ }, plan);
}

/** The begin modes of a transaction that writes nothing and locks nothing. */
const READS_ONLY: ReadonlySet<BeginForm> = new Set<BeginForm>(['read only', 'deferrable']);

function begun(random: Random, options: GenerateOptions, plan: TxnPlan): TxnPlan {
  const begin = random.weighted(options.begins);
  if (begin === 'plain' || plan.autocommit) return plan;
  if (!READS_ONLY.has(begin)) return { ...plan, begin };
  const statements = plan.statements.filter((statement) => isQuery(statement) && locksOf(statement) === undefined);
  return statements.length === 0 ? plan : { ...plan, statements, begin };
}

function plainTransaction(random: Random, options: GenerateOptions, ...[domains, tables, views, id]: Given): TxnPlan {
  const limit = options.mode === 'schedule' ? options.scheduledMaxStatement : options.maxStatement;
  let given = id * limit * FRESH_PER_STATEMENT;
  const place: WritePlace = { options, tables, views, domains, focus: generateFocus(random, tables), fresh: () => given++ };
  const reads: (() => Statement)[] = [];
  const statement = (): Statement => {
    if (options.repeatShare > 0 && reads.length > 0 && random.chance(options.repeatShare)) return random.pick(reads)();
    const form = random.weighted(options.statements);
    const drawn = STATEMENTS[form](random, place);
    if (form === 'select') reads.push(() => relocked(random, options, drawn as Select));
    else if (isQuery(drawn)) reads.push(() => drawn);
    return drawn;
  };

  if (random.chance(options.readEverythingShare)) {
    return { id, statements: random.shuffle(tables).slice(0, limit).map(generateWhole), end: 'commit', autocommit: false };
  }
  if (random.chance(options.autocommitShare)) {
    const only = statement();
    return { id, statements: [only], end: 'commit', autocommit: options.autocommitSubqueryLockShare === 1 || !locksOverSubquery(only) };
  }
  // The smaller of two draws is taken, because long transactions hold their locks long. Most are therefore short.
  const count = Math.min(random.int(1, limit), random.int(1, limit)) + (limit > 1 && random.chance(0.5) ? 1 : 0);
  const plain = Array.from({ length: Math.min(count, limit) }, statement);
  const statements = random.chance(options.savepointShare) ? withSavepoints(random, plain, limit) : plain;
  return { id, statements, end: random.chance(options.rollbackShare) ? 'rollback' : 'commit', autocommit: false };
}

const UNLOCKED: GenerateOptions['locks'] = { none: 1, update: 0, share: 0, 'no key update': 0, 'key share': 0 };

/**
 * Generates a transaction that stays open beside thousands of others' statements. It reads without a lock, and then
 * does what another transaction would do.
 */
export function generateOld(random: Random, options: GenerateOptions, ...[domains, tables, views, id]: Given): TxnPlan {
  const only = { ...options, autocommitShare: 0, readEverythingShare: 0, rollbackShare: 0, savepointShare: 0 };
  const place: Place = { options: { ...only, locks: UNLOCKED }, tables, views, focus: generateFocus(random, tables) };
  const reads = Array.from({ length: options.oldReads }, () => generateSelect(random, place));
  const last = generateTransaction(random.fork('last'), only, domains, tables, views, id);
  return { ...last, statements: [...reads, ...last.statements] };
}

function locksOverSubquery(statement: Statement): boolean {
  return isQuery(statement) && locksOf(statement) !== undefined && contentsOf(statement).queries.length > 1;
}

/** Puts SAVEPOINT, and mostly ROLLBACK TO or RELEASE, between the statements. Two may nest. */
function withSavepoints(random: Random, plain: readonly Statement[], limit: number): Statement[] {
  const statements: Statement[] = [];
  const open: string[] = [];
  let room = limit - plain.length;
  let made = 0;
  for (const statement of plain) {
    if (room > 0 && open.length < 2 && (made === 0 || random.chance(0.3))) {
      const name = `s${made++}`;
      statements.push({ kind: 'savepoint', name });
      open.push(name);
      room--;
    }
    statements.push(statement);
    if (room > 0 && open.length > 0 && random.chance(0.5)) {
      const name = open[random.int(0, open.length - 1)]!;
      const back = random.chance(0.6);
      statements.push({ kind: back ? 'rollbackTo' : 'release', name });
      // ROLLBACK TO ends the savepoints made after it, RELEASE also its own.
      open.length = open.indexOf(name) + (back ? 1 : 0);
      room--;
    }
  }
  return statements;
}
