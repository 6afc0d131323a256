/**
 * The rows that transactions running together read, as their texts and the keys of the schema show. It has classes of
 * columns and names that are made equal, and the parameters of each session. It has the columns by which rows of a
 * table are related, and sets of rows that a condition selects (`members with role = 'owner', by organization_id`).
 */
import { columnNode, predicateReadsOf, nameNode } from './predicate-reads.ts';
import type { StatementReads } from './predicate-reads.ts';
import { Classes } from './classes.ts';
import type { Expression, Schema, Statement, Table } from '../../../core/index.ts';
import type { StepTemplate, TransactionTemplate } from '../../workload-file/import.ts';
import type { Parameter } from '../../workload-file/parameter.ts';

/** A column in which several rows may have the same value. */
export interface Link {
  readonly column: string;
  readonly place: number;
  readonly class: string;
}

/** Rows of a table that agree in the columns `by` and fulfil the conditions. */
export interface RowSet {
  readonly id: string;
  readonly table: Table;
  readonly by: readonly Link[];
  readonly where: readonly Expression[];
}

export interface Session {
  readonly template: TransactionTemplate;
  /** Parameters with a class whose value can be chosen. */
  readonly parameters: readonly (Parameter & { readonly class: string })[];
  /** Row sets that its own statements read. */
  readonly sets: ReadonlySet<string>;
}

export interface JointReads {
  readonly schema: Schema;
  readonly sessions: readonly Session[];
  /** The key is the table. */
  readonly links: ReadonlyMap<string, readonly Link[]>;
  readonly sets: readonly RowSet[];
  /** Returns tables with the column by which a value of a class names one row. */
  keysOf(className: string): readonly Key[];
  /** Returns the nodes of a class that are columns. */
  columnsOf(className: string): readonly string[];
  /** Tells whether a condition or a written value names a column of it. */
  isUsed(className: string): boolean;
}

/** The prefix of classes of values that are only compared. */
export const DOMAIN = 'domain ';

export interface Key {
  readonly table: Table;
  readonly place: number;
}

export function jointReadsOf(templates: readonly TransactionTemplate[], schema: Schema): JointReads {
  const classes = new Classes();
  const reads = templates.map(({ steps }) => statementsIn(steps).map((statement) => predicateReadsOf(statement, schema)));
  const scoped = (session: number, node: string): string => (node.startsWith(':') ? `${session}${node}` : node);
  for (const { name, foreignKeys } of schema.tables)
    for (const key of foreignKeys)
      for (const [i, column] of key.columns.entries()) classes.join(columnNode(name, column), columnNode(key.table, key.references[i]!));
  const used = new Set<string>();
  for (const [session, all] of reads.entries())
    for (const [a, b] of all.flatMap(({ equals }) => equals)) {
      for (const node of [a, b]) used.add(scoped(session, node));
      classes.join(scoped(session, a), scoped(session, b));
    }
  for (const [session, all] of reads.entries())
    for (const [a, b] of all.flatMap(({ moved }) => moved)) classes.join(scoped(session, a), scoped(session, b));
  const domains = domainsOf(templates, reads);
  const usedClasses = new Set([...used].map((node) => classes.of(node)));
  const links = new Map(schema.tables.map((table) => [table.name, linksOf(table, classes, usedClasses)]));
  const setsBySession = reads.map((all) => all.flatMap((each) => setsIn(each, schema, links)));
  const sets = new Map(setsBySession.flat().map((each) => [each.id, each]));
  return {
    schema,
    sessions: templates.map((template, session) => ({
      template,
      parameters: parametersOf(template, reads[session]!, domains, (name) => {
        const node = scoped(session, nameNode(name));
        return classes.members(node).length > 1 ? classes.of(node) : undefined;
      }),
      sets: new Set(setsBySession[session]!.map(({ id }) => id)),
    })),
    links,
    sets: [...sets.values()],
    keysOf: (className) => keysIn(schema, links, className),
    columnsOf: (className) => classes.members(className).filter((node) => !node.includes(':')),
    isUsed: (className) => usedClasses.has(className),
  };
}

/** Returns the keys of one column: the primary key, or a unique key. */
export function singleKeys({ primaryKey, uniques, indexes }: Table): readonly string[] {
  const unique = indexes.filter((index) => index.unique === true && index.shape === undefined).map(({ columns }) => columns);
  return [primaryKey, ...uniques, ...unique].flatMap((columns) => (columns.length === 1 ? columns : []));
}

function keysIn({ tables }: Schema, links: JointReads['links'], className: string): readonly Key[] {
  return tables.flatMap((table) => {
    const keys = singleKeys(table);
    const own = links.get(table.name)!.filter((link) => link.class === className && keys.includes(link.column));
    return own.map(({ place }) => ({ table, place }));
  });
}

/** A column that is no part of a key, and is only read into a name or written, leads nowhere. */
function linksOf(table: Table, classes: Classes, used: ReadonlySet<string>): readonly Link[] {
  const keyed = new Set([table.primaryKey, ...table.uniques].flat());
  return table.columns.flatMap(({ name: column }, place) => {
    const node = columnNode(table.name, column);
    const own = classes.of(node);
    const members = classes.members(node);
    const columns = members.filter((each) => !each.includes(':'));
    const leads = columns.length > 1 || used.has(own) || (members.length > 1 && keyed.has(column));
    return leads ? [{ column, place, class: own }] : [];
  });
}

/** A set whose rows are named by a key has one row. A set that is selected by a class alone is that class. */
function setsIn({ reads }: StatementReads, { tables }: Schema, links: JointReads['links']): readonly RowSet[] {
  return reads.flatMap(({ table: name, by, where }) => {
    const table = tables.find((each) => each.name === name)!;
    const keys = [table.primaryKey, ...table.uniques].filter(({ length }) => length > 0);
    const own = links.get(name)!.filter(({ column }) => by.includes(column));
    if (keys.some((key) => key.every((column) => by.includes(column))) || (where.length === 0 && own.length === 1)) return [];
    return [{ id: JSON.stringify([name, own.map(({ column }) => column), where]), table, by: own, where }];
  });
}

/**
 * Domains of values that are compared with the same column are one class, whatever their rules: they may have values in
 * common.
 */
function domainsOf(templates: readonly TransactionTemplate[], reads: readonly (readonly StatementReads[])[]): Classes {
  const classes = new Classes();
  for (const [session, { steps }] of templates.entries()) {
    const compared = reads[session]!.flatMap((each) => each.compared);
    for (const { name, domain } of declaredIn(steps)) {
      const columns = compared.flatMap((each) => (each.name === nameNode(name) ? each.columns : []));
      if (domain !== undefined) for (const column of columns) classes.join(domainNode(domain.name), column);
    }
  }
  return classes;
}

const domainNode = (name: string): string => `${DOMAIN}${name}`;

/** A value that is drawn for a condition but makes nothing equal is a class of its domain: a day, an amount. */
function parametersOf(
  { steps }: TransactionTemplate,
  reads: readonly StatementReads[],
  domains: Classes,
  classOf: (name: string) => string | undefined,
): Session['parameters'] {
  const compared = new Set(reads.flatMap((each) => each.compared.map((one) => one.name)));
  return declaredIn(steps).flatMap((parameter) => {
    const { name, domain } = parameter;
    if (domain === undefined) return [];
    const own = classOf(name) ?? (compared.has(nameNode(name)) ? `${DOMAIN}${domains.of(domainNode(domain.name))}` : undefined);
    return own === undefined ? [] : [{ ...parameter, class: own }];
  });
}

export function declaredIn(steps: readonly StepTemplate[]): readonly Parameter[] {
  return steps.flatMap((step) => (step.kind === 'parameter' ? [step.parameter] : step.kind === 'repeat' ? declaredIn(step.steps) : []));
}

export function statementsIn(steps: readonly StepTemplate[]): readonly Statement[] {
  return steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : step.kind === 'repeat' ? statementsIn(step.steps) : []));
}
