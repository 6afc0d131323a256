/**
 * Reads a parsed workload file through a DBMS's importer: the schema with its initial rows, and the statements of
 * transactions and invariants as statement trees. Every refusal is collected first, and only a file without a refusal
 * is run.
 */
import {
  LAST_READ,
  drawnOf,
  isQuery,
  isWrite,
  locksOf,
  whyUndecided,
  type Expression,
  type Query,
  type Schema,
  type Statement,
  type Table,
  type TypeKind,
} from '../../core/sql/index.ts';
import { isRefusal, type Approximation, type Refusal, type SqlImporter, type SqlText } from '../../core/dialect/index.ts';
import type { AnyLevelFeature } from '../../core/level/index.ts';
import { namesIn } from '../../core/program/index.ts';
import { drawnParameters } from './drawn-parameter.ts';
import { inOrder, type StepText, type Times, type WorkloadFile } from './parse.ts';
import { resolveParameter, type Parameter } from './parameter.ts';
import { countOf, parametersIn, stopOf, withoutInto } from './text.ts';
import { judgeOfInvariants, type NamedStatement } from './unjudged.ts';
import { refusedWords, undecidedWords } from './undecided.ts';

export interface WorkloadTemplates {
  readonly schema: Schema;
  /** The parts of the file that are replaced by something else. */
  readonly approximated: readonly Approximation[];
  /** The number of values that `unique` has given to the initial rows. */
  readonly uniques: number;
  readonly transactions: readonly TransactionTemplate[];
  readonly invariants: readonly Invariant[];
}

export interface TransactionTemplate {
  readonly name: string;
  readonly weight: number;
  readonly rollback: number;
  /** The number of attempts after the first, if the server refuses it. */
  readonly retries: number;
  readonly autocommit: boolean;
  readonly steps: readonly StepTemplate[];
}

export type StepTemplate =
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  | {
      readonly kind: 'statement';
      readonly statement: Statement;
      /** The text as it stands in the file. */
      readonly text: string;
    }
  | { readonly kind: 'repeat'; readonly counter: string; readonly times: Times; readonly steps: readonly StepTemplate[] };

export interface Invariant {
  readonly name: string;
  /** Returns no row while the invariant holds. */
  readonly query: Query;
  /** The reason why a correct server may break it at any level. */
  readonly unjudged?: AnyLevelFeature;
}

export function importWorkload(
  file: WorkloadFile,
  importer: SqlImporter,
): { readonly templates: WorkloadTemplates; readonly refused: readonly Refusal[] } {
  const { schema, approximated, refused: schemaRefused } = importer.schema(file.schema);
  const refused: Refusal[] = [...schemaRefused];
  const transactions = file.transactions.map(({ name, weight, rollback, retries, autocommit, steps }): TransactionTemplate => {
    const reader = new Steps(schema, importer, refused);
    const read = reader.read(steps, new Map());
    const first = steps.find((step) => step.kind === 'statement');
    if (autocommit && first !== undefined && statementsIn(read).some(({ kind }) => kind === 'advisoryLock' || kind === 'lockTable'))
      refused.push({
        line: first.text.line,
        reason: `transaction ${name} is autocommit and takes a lock, which protects nothing; leave the lock out`,
      });
    return { name, weight, rollback, retries, autocommit, steps: read };
  });
  const statements = transactions.flatMap(({ name, steps }) =>
    statementsIn(steps).map((statement): NamedStatement => ({ transaction: name, statement })),
  );
  const unjudged = judgeOfInvariants(schema, statements);
  const invariants = file.invariants.flatMap(({ name, text }): Invariant[] => {
    const drawn = parametersIn(text.sql)[0];
    if (drawn !== undefined) {
      refused.push({ line: text.line, reason: `invariant ${name} names the parameter :${drawn.name}; nothing is drawn for an invariant` });
      return [];
    }
    const query = importer.statement(text, schema, new Map());
    if (isRefusal(query)) refused.push(query);
    else if (!isQuery(query))
      refused.push({ line: text.line, reason: `invariant ${name} is no query: expected a SELECT that returns no row while it holds` });
    else if (locksOf(query) !== undefined)
      refused.push({ line: text.line, reason: `invariant ${name} locks rows: leave FOR UPDATE and FOR SHARE out` });
    else {
      const why = unjudged(query);
      return [{ name, query, ...(why !== undefined && { unjudged: why }) }];
    }
    return [];
  });
  return { templates: { schema, approximated, uniques: file.uniques, transactions, invariants }, refused: inOrder(refused) };
}

type Scope = ReadonlyMap<string, Parameter>;

class Steps {
  private readonly schema: Schema;
  private readonly importer: SqlImporter;
  private readonly refused: Refusal[];

  constructor(schema: Schema, importer: SqlImporter, refused: Refusal[]) {
    this.schema = schema;
    this.importer = importer;
    this.refused = refused;
  }

  read(steps: readonly StepText[], outer: Scope): readonly StepTemplate[] {
    const scope = new Map(outer);
    const named = namedIn(steps);
    const read: StepTemplate[] = [];
    const declare = (parameter: Parameter, line: number): void => {
      if (scope.has(parameter.name)) this.refuse(line, `there is a parameter :${parameter.name} already; expected another name`);
      scope.set(parameter.name, parameter);
    };
    for (const step of steps) {
      if (step.kind === 'parameter') {
        const { name, line } = step.spec;
        const parameter = resolveParameter(step.spec, this.schema, drawnIn(scope), this.importer);
        if (!named.has(name)) this.refuse(line, `parameter :${name} is never used; leave it out`);
        if (typeof parameter === 'string') {
          this.refuse(line, parameter);
          // The name is declared all the same, so that statements which use it are not refused for that as well.
          declare({ name, type: 'integer', draw: () => 0 }, line);
          continue;
        }
        declare(parameter, line);
        read.push({ kind: 'parameter', parameter });
      } else if (step.kind === 'statement') {
        if (!this.stopsAt(step.text, read, scope) && !this.countsAt(step.text, read, scope))
          read.push(...this.statementStep(step.text, scope));
      } else {
        const { times } = step;
        if ('parameter' in times && drawnIn(scope).get(times.parameter)?.type !== 'integer')
          this.refuse(step.line, `@repeat: :${times.parameter} is no whole number declared above it`);
        if (scope.has(step.counter)) this.refuse(step.line, `there is a parameter :${step.counter} already; expected another name`);
        const inner = new Map(scope).set(step.counter, { name: step.counter, type: 'integer', draw: () => 0 });
        read.push({ kind: 'repeat', counter: step.counter, times, steps: this.read(step.steps, inner) });
      }
    }
    return read;
  }

  /** Returns the statement, after the parameters that are drawn for it alone. The result is empty if it is refused. */
  private statementStep(written: SqlText, scope: Map<string, Parameter>): readonly StepTemplate[] {
    const { sql, into, problem } = withoutInto(written.sql);
    const text = { ...written, sql };
    if (problem !== undefined) this.refuse(text.line, problem);
    const statement = problem === undefined ? this.statement(text, scope) : undefined;
    if (statement === undefined) {
      // The names are declared all the same, so that statements which use them are not refused for that as well.
      for (const name of into ?? []) if (!scope.has(name)) scope.set(name, bound(name, 'integer'));
      return [];
    }
    // A uuid differs in each statement, while the moment belongs to the whole transaction.
    const drawn = drawnParameters(statement).filter(({ name }) => !scope.has(name) || drawnOf(name) === 'uuid');
    for (const parameter of drawn) scope.set(parameter.name, parameter);
    if (into !== undefined) this.declareBound(text, into, statement, scope);
    return [
      ...drawn.map((parameter) => ({ kind: 'parameter', parameter }) as const),
      { kind: 'statement', statement: into === undefined ? statement : { ...statement, into }, text: sql },
    ];
  }

  private statement(text: SqlText, scope: Scope): Statement | undefined {
    const statement = this.namesStand(text, scope) ? this.importer.statement(text, this.schema, typesIn(scope)) : undefined;
    if (statement === undefined || !isRefusal(statement)) return statement;
    this.refused.push(statement);
    return undefined;
  }

  private namesStand(text: SqlText, scope: Scope): boolean {
    const undeclared = parametersIn(text.sql).find(({ name }) => !scope.has(name))?.name;
    if (undeclared !== undefined)
      this.refuse(
        text.line,
        `there is no parameter :${undeclared}; expected -- @parameter :${undeclared} above the statement, or SELECT ... INTO :${undeclared}`,
      );
    return undeclared === undefined;
  }

  /** The names after INTO become parameters, with the types of the columns that they are read from. */
  private declareBound(text: SqlText, into: readonly string[], statement: Statement, scope: Map<string, Parameter>): void {
    const types = this.importer.columnTypes(text, this.schema, typesIn(scope));
    if (types.length !== into.length || 'name' in statement)
      this.refuse(text.line, `INTO names ${into.length}, and the statement returns ${types.length} columns; expected a name for each`);
    if (new Set(into).size < into.length)
      this.refuse(text.line, 'INTO names a parameter twice; expected a name of its own for each column');
    for (const [place, name] of into.entries()) {
      const before = scope.get(name);
      const type = types[place] ?? before?.type;
      if (type === undefined && place < types.length)
        this.refuse(text.line, `the type of :${name} is not known; expected a CAST to its type in the SELECT`);
      this.declare(name, type ?? 'integer', text.line, scope);
    }
  }

  /** Declares a name of a value that is read. */
  private declare(name: string, type: TypeKind, line: number, scope: Map<string, Parameter>): void {
    const before = scope.get(name);
    if (name === LAST_READ || drawnOf(name) !== undefined)
      this.refuse(line, `:${name} is a reserved name of this program; expected another name`);
    else if (before !== undefined && before.bound !== true)
      this.refuse(line, `there is a parameter :${name} already; expected another name`);
    else if (before !== undefined && before.type !== type)
      this.refuse(line, `:${name} was read as ${before.type} before and is ${type} here: give it another name`);
    else scope.set(name, bound(name, type));
  }

  /** Adds an IF to the statement before it. Returns true if the text is one. */
  private stopsAt({ sql, line }: SqlText, read: StepTemplate[], scope: Scope): boolean {
    const stop = stopOf(sql);
    if (stop === undefined) return false;
    const before = read.at(-1);
    if (typeof stop === 'string') this.refuse(line, stop);
    else if (before?.kind !== 'statement')
      this.refuse(line, 'IF has no statement in front of it; expected it behind the SELECT ... INTO that it decides by');
    else {
      const when = this.condition(stop.condition, line, scope);
      const stops = [...(before.statement.stops ?? []), ...(when === undefined ? [] : [{ when, end: stop.end }])];
      read[read.length - 1] = { ...before, statement: { ...before.statement, stops } };
    }
    return true;
  }

  /** Adds a count to the statement before it. Returns true if the text is one. */
  private countsAt({ sql, line }: SqlText, read: StepTemplate[], scope: Map<string, Parameter>): boolean {
    const count = countOf(sql);
    if (count === undefined) return false;
    const before = read.at(-1);
    const why = typeof count === 'string' ? count : whyNotCounted(before);
    if (why !== undefined) this.refuse(line, why);
    if (typeof count === 'string') return true;
    this.declare(count.name, 'bigint', line, scope);
    if (before?.kind === 'statement') read[read.length - 1] = { ...before, statement: { ...before.statement, counted: count.name } };
    return true;
  }

  private condition(sql: string, line: number, scope: Scope): Expression | undefined {
    const text = { sql: `SELECT nothing FROM ${ONE.name} WHERE ${sql}`, line };
    if (!this.namesStand(text, scope)) return undefined;
    const query = this.importer.statement(text, { tables: [ONE] }, typesIn(scope));
    if (isRefusal(query) || query.kind !== 'select' || query.where === undefined || Object.keys(query).length > 4) {
      const reason = isRefusal(query) ? refusedWords(query) : 'it is more than a condition';
      this.refuse(line, `the condition of an IF cannot be decided without the server: ${reason}; ${DECIDED}`);
      return undefined;
    }
    const drawn = namesIn([query.where]).find((name) => !scope.has(name));
    const undecided = whyUndecided(query.where);
    const why = drawn !== undefined ? 'it holds a value that the server makes anew each time' : undecided && undecidedWords(undecided);
    if (why !== undefined) this.refuse(line, `the condition of an IF cannot be decided without the server: ${why}; ${DECIDED}`);
    else if (!parametersIn(sql).some(({ name }) => scope.get(name)?.bound === true))
      this.refuse(line, 'the condition of an IF names no value that was read; expected a name of a SELECT ... INTO above it');
    return why === undefined ? query.where : undefined;
  }

  private refuse(line: number, reason: string): void {
    this.refused.push({ line, reason });
  }
}

/**
 * Tells why a count is refused. Servers count differently, with and without probes: an upsert that updates counts as
 * two on some.
 */
function whyNotCounted(before: StepTemplate | undefined): string | undefined {
  const statement = before?.kind === 'statement' ? before.statement : undefined;
  if (statement === undefined || !isWrite(statement) || statement.kind === 'merge')
    return 'GET DIAGNOSTICS has no INSERT, UPDATE or DELETE in front of it; expected it behind the statement whose rows it counts';
  if (statement.counted !== undefined) return `the rows of this statement are counted as :${statement.counted} already`;
  if (statement.kind === 'insert' && statement.conflict !== undefined && statement.conflict.action !== 'nothing')
    return 'an upsert that updates, or a REPLACE, is counted differently on each DBMS; read the row instead';
  return undefined;
}

const DECIDED =
  'expected comparisons of :names and literals, with + - *, AND, OR, NOT, IS NULL, BETWEEN, IN, coalesce and abs. Let the SELECT compute the rest';

/** The DBMS's grammar reads a condition as a query over this table. */
const ONE: Table = {
  name: 'bound',
  columns: [{ name: 'nothing', type: { kind: 'integer' }, nullable: true }],
  primaryKey: [],
  uniques: [],
  foreignKeys: [],
  indexes: [],
  checks: [],
  rows: [],
};

function bound(name: string, type: TypeKind): Parameter {
  return { name, type, bound: true, draw: () => null };
}

/** Returns the parameters that are known before the transaction begins. */
function drawnIn(scope: Scope): Scope {
  return new Map([...scope].filter(([, { bound: read }]) => read !== true));
}

function typesIn(scope: Scope): ReadonlyMap<string, TypeKind> {
  return new Map([...scope].map(([name, { type }]) => [name, type]));
}

function statementsIn(steps: readonly StepTemplate[]): readonly Statement[] {
  return steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : step.kind === 'repeat' ? statementsIn(step.steps) : []));
}

/** Returns the parameters that statements, other parameters and repeats name. */
function namedIn(steps: readonly StepText[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'statement') for (const { name } of parametersIn(step.text.sql)) named.add(name);
    else if (step.kind === 'parameter') {
      for (const other of step.spec.except) named.add(other);
      const { rule } = step.spec;
      if (rule.kind === 'behind') named.add(rule.other);
      if (rule.kind === 'uuid' && rule.of !== undefined) named.add(rule.of);
    } else {
      if ('parameter' in step.times) named.add(step.times.parameter);
      for (const name of namedIn(step.steps)) named.add(name);
    }
  }
  return named;
}
