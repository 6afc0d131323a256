/**
 * What may stop transactions of a workload file from disturbing one another, as changed templates: a lock on one of their
 * reads, one statement instead of a read and a write of the same row (one-statement.ts), or a unique constraint
 * (unique-cures.ts). Whether it does is for the server to say (src/explore/try-cures.ts); a stronger level is another cure,
 * and no change of the file.
 */
import type { Capabilities, Select, Statement } from '../../core/index.ts';
import { oneStatementCures } from './one-statement.ts';
import { uniqueCures } from './unique-cures.ts';
import type { StepTemplate, TransactionTemplate, WorkloadTemplates } from '../workload-file/import.ts';

export interface Cure {
  /** As its reader would write it. */
  readonly what: string;
  readonly templates: WorkloadTemplates;
}

/** `members`: places of the transactions that run together. */
export function curesOf(templates: WorkloadTemplates, members: readonly number[], capabilities: Capabilities): readonly Cure[] {
  const places = [...new Set(members)];
  const each = places.map((place) => lockCures(templates, place));
  const first = each.map((own) => own[0]);
  const both = first.length > 1 && first.every((cure) => cure !== undefined);
  return [
    ...each.flat(),
    ...(both ? [together(templates, places)] : []),
    ...places.flatMap((place) =>
      oneStatementCures(templates.transactions[place]!).map(({ what, transaction }) => ({
        what,
        templates: withTransaction(templates, place, transaction),
      })),
    ),
    ...places.flatMap((place) =>
      uniqueCures(templates.transactions[place]!, templates.schema, capabilities).map(({ what, schema }) => ({
        what,
        templates: { ...templates, schema },
      })),
    ),
  ];
}

/** FOR UPDATE on one read of a transaction. */
function lockCures(templates: WorkloadTemplates, place: number): readonly Cure[] {
  const transaction = templates.transactions[place]!;
  return readsOf(transaction).map(({ at, step }) => ({
    what: `FOR UPDATE on statement ${numberOf(transaction, at)} of ${transaction.name}: ${shortened(step.text)}`,
    templates: withTransaction(templates, place, locked(transaction, [at])),
  }));
}

/** All that can be locked, in each of several transactions. */
function together(templates: WorkloadTemplates, places: readonly number[]): Cure {
  const names = places.map((place) => templates.transactions[place]!.name);
  const change = (from: WorkloadTemplates, place: number): WorkloadTemplates => {
    const transaction = from.transactions[place]!;
    return withTransaction(
      from,
      place,
      locked(
        transaction,
        readsOf(transaction).map(({ at }) => at),
      ),
    );
  };
  return { what: `FOR UPDATE on every read of ${names.join(' and ')}`, templates: places.reduce(change, templates) };
}

type StatementStep = Extract<StepTemplate, { kind: 'statement' }>;

function readsOf({ steps, autocommit }: TransactionTemplate): readonly { readonly at: number; readonly step: StatementStep }[] {
  if (autocommit) return [];
  return steps.flatMap((step, at) => (step.kind === 'statement' && isLockable(step.statement) ? [{ at, step }] : []));
}

/** Rows of one table as they are: what every DBMS locks. */
function isLockable(statement: Statement): statement is Select {
  if (statement.kind !== 'select' || statement.from.kind !== 'table') return false;
  const { with: named, distinct, groupBy, having, lock, items } = statement;
  const plain = [named, groupBy, having, lock].every((each) => each === undefined) && distinct !== true;
  return plain && items.every(({ expression }) => expression.kind === 'column');
}

function locked(transaction: TransactionTemplate, places: readonly number[]): TransactionTemplate {
  const steps = transaction.steps.map((step, at) =>
    places.includes(at) && step.kind === 'statement' && step.statement.kind === 'select'
      ? { ...step, statement: { ...step.statement, lock: { strength: 'update' as const } }, text: `${step.text} FOR UPDATE` }
      : step,
  );
  return { ...transaction, steps };
}

function withTransaction(templates: WorkloadTemplates, place: number, changed: TransactionTemplate): WorkloadTemplates {
  return { ...templates, transactions: templates.transactions.map((each, i) => (i === place ? changed : each)) };
}

/** From 1, among the statements. */
function numberOf({ steps }: TransactionTemplate, at: number): number {
  return steps.slice(0, at + 1).filter(({ kind }) => kind === 'statement').length;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
