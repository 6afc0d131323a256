/**
 * A parsed workload file through a DBMS's importer: the schema with its initial rows, and the statements of transactions
 * and invariants as IR. Everything that is refused is collected first; only a file without a refusal is run.
 */
import {
  drawnOf,
  isQuery,
  isRefusal,
  locksOf,
  type Approximation,
  type Query,
  type Refusal,
  type Schema,
  type SqlImporter,
  type SqlText,
  type Statement,
  type TypeKind,
} from '../../core/index.ts';
import { drawnParameters } from './drawn-parameter.ts';
import { inOrder, type StepText, type Times, type WorkloadFile } from './parse.ts';
import { resolveParameter, type Parameter } from './parameter.ts';
import { parametersIn } from './text.ts';
import { unjudged, type NamedStatement } from './unjudged.ts';

export interface WorkloadTemplates {
  readonly schema: Schema;
  /** What of the file is carried over as something else. */
  readonly approximated: readonly Approximation[];
  /** So many numbers `unique` has given to the initial rows. */
  readonly uniques: number;
  readonly transactions: readonly TransactionTemplate[];
  readonly invariants: readonly Invariant[];
}

export interface TransactionTemplate {
  readonly name: string;
  readonly weight: number;
  readonly rollback: number;
  readonly autocommit: boolean;
  readonly steps: readonly StepTemplate[];
}

export type StepTemplate =
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  | {
      readonly kind: 'statement';
      readonly statement: Statement;
      /** As it stands in the file. */
      readonly text: string;
    }
  | { readonly kind: 'repeat'; readonly counter: string; readonly times: Times; readonly steps: readonly StepTemplate[] };

export interface Invariant {
  readonly name: string;
  /** Returns no row while the invariant holds. */
  readonly query: Query;
  /** Why a correct server may break it at any level. */
  readonly unjudged?: string;
}

export function importWorkload(
  file: WorkloadFile,
  importer: SqlImporter,
): { readonly templates: WorkloadTemplates; readonly refused: readonly Refusal[] } {
  const { schema, approximated, refused: schemaRefused } = importer.schema(file.schema);
  const refused: Refusal[] = [...schemaRefused];
  const transactions = file.transactions.map(({ name, weight, rollback, autocommit, steps }): TransactionTemplate => {
    const reader = new Steps(schema, importer, refused);
    return { name, weight, rollback, autocommit, steps: reader.read(steps, new Map()) };
  });
  const statements = transactions.flatMap(({ name, steps }) =>
    statementsIn(steps).map((statement): NamedStatement => ({ transaction: name, statement })),
  );
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
      const why = unjudged(query, schema, statements);
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
      if (scope.has(parameter.name)) this.refuse(line, `there is a parameter :${parameter.name} already`);
      scope.set(parameter.name, parameter);
    };
    for (const step of steps) {
      if (step.kind === 'parameter') {
        const { name, line } = step.spec;
        const parameter = resolveParameter(step.spec, this.schema, scope);
        if (!named.has(name)) this.refuse(line, `parameter :${name} is never used`);
        if (typeof parameter === 'string') {
          this.refuse(line, parameter);
          // So that what names it is not refused for that as well.
          declare({ name, type: 'integer', draw: () => 0 }, line);
          continue;
        }
        declare(parameter, line);
        read.push({ kind: 'parameter', parameter });
      } else if (step.kind === 'statement') {
        const statement = this.statement(step.text, scope);
        if (statement === undefined) continue;
        for (const parameter of drawnParameters(statement)) {
          // A uuid is another one in each statement, the moment one of the whole transaction.
          if (!scope.has(parameter.name) || drawnOf(parameter.name) === 'uuid') read.push({ kind: 'parameter', parameter });
          scope.set(parameter.name, parameter);
        }
        read.push({ kind: 'statement', statement, text: step.text.sql });
      } else {
        const { times } = step;
        if ('parameter' in times && scope.get(times.parameter)?.type !== 'integer')
          this.refuse(step.line, `@repeat: :${times.parameter} is no whole number declared above it`);
        if (scope.has(step.counter)) this.refuse(step.line, `there is a parameter :${step.counter} already`);
        const inner = new Map(scope).set(step.counter, { name: step.counter, type: 'integer', draw: () => 0 });
        read.push({ kind: 'repeat', counter: step.counter, times, steps: this.read(step.steps, inner) });
      }
    }
    return read;
  }

  private statement(text: SqlText, scope: Scope): Statement | undefined {
    const undeclared = parametersIn(text.sql).find(({ name }) => !scope.has(name));
    if (undeclared !== undefined) {
      this.refuse(text.line, `there is no parameter :${undeclared.name}; expected -- @parameter :${undeclared.name} above the statement`);
      return undefined;
    }
    const types = new Map<string, TypeKind>([...scope].map(([name, { type }]) => [name, type]));
    const statement = this.importer.statement(text, this.schema, types);
    if (!isRefusal(statement)) return statement;
    this.refused.push(statement);
    return undefined;
  }

  private refuse(line: number, reason: string): void {
    this.refused.push({ line, reason });
  }
}

function statementsIn(steps: readonly StepTemplate[]): readonly Statement[] {
  return steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : step.kind === 'repeat' ? statementsIn(step.steps) : []));
}

/** Parameters that statements, other parameters and repeats name. */
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
