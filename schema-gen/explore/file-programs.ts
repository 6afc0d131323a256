/**
 * Makes programs of a workload file's own transactions: every pair of them, each with itself too, and every three. A
 * draw fixes two values of each domain, and which parameters take the same one: a lost update needs one account, a
 * write skew two accounts of one owner. It also fixes a few transactions that ran before, one after the other, since
 * some have nothing to do on the initial rows.
 *
 *     draws 0 and 1:  all domains alike, on the initial rows and after some transactions
 *     draws 2 and 3:  the first domain apart, on both; then the second, the third
 *     behind these:   each domain at random
 *
 * Each program depends on the seed, its draw and its transactions alone, whatever else is asked for. So does its
 * number.
 */
import { firstState } from '../../core/index.ts';
import type { BoundValue, Program, ProgramTxn, Random, Schema, Value, Fixture } from '../../core/index.ts';
import type { Invariant, StepTemplate, TransactionTemplate, WorkloadTemplates } from '../workload-file/import.ts';
import { boundStatements } from '../workload-file/instantiate.ts';
import type { BoundStatement } from '../workload-file/instantiate.ts';
import type { Parameter } from '../workload-file/parameter.ts';
import type { AimedDraw } from './aims/plan.ts';
import { valueKeys } from './aims/value-keys.ts';
import { NumberUse } from './number-use.ts';
import { numberedStepOf } from './step.ts';

/**
 * In a draw with random domains, a parameter takes one of its domain's two values with this chance. Otherwise it is
 * drawn as the file says.
 */
const MEETS = 0.8;
/** The number of draws for a second value that differs from the first. */
const ATTEMPTS = 20;

/** Transactions that run together. */
export interface Together {
  /** A name like `book + cancel`. */
  readonly name: string;
  /** Places in the file. */
  readonly members: readonly number[];
}

/** Draws from this number on are aimed. Draws at random stay below it. */
export const FIRST_AIMED = 100_000;
/** The number of `unique` values that a session of an aimed draw may take. */
const UNIQUES = 1000;

export class FilePrograms {
  /** Pairs first, then triples. */
  readonly together: readonly Together[];
  private readonly random: Random;
  private readonly templates: WorkloadTemplates;

  constructor(random: Random, templates: WorkloadTemplates) {
    this.random = random;
    this.templates = templates;
    const { transactions } = templates;
    const pairs = transactions.flatMap((_, a) => transactions.slice(a).map((__, b) => [a, a + b]));
    const triples = pairs.flatMap(([a, b]) => transactions.slice(b).map((_, c) => [a!, b!, b! + c]));
    this.together = [...pairs, ...triples].map((members) => ({
      name: members.map((member) => transactions[member]!.name).join(' + '),
      members,
    }));
  }

  /** The invariants that test isolation. */
  get invariants(): readonly Invariant[] {
    return this.templates.invariants.filter(({ unjudged }) => unjudged === undefined);
  }

  /**
   * Returns the transactions that run before the programs of a draw, one after the other. Every other draw has none.
   */
  before(draw: number): readonly ProgramTxn[] {
    return this.prelude(draw).transactions;
  }

  /** Makes the program of the transactions in a fixture. `draw` fixes the values. */
  program(together: Together, draw: number, fixture: Fixture): Program {
    let next = this.templates.uniques + this.prelude(draw).uniques;
    const random = this.drawOf(draw).fork(together.name);
    const domains = [...new Set(together.members.flatMap((member) => domainsIn(this.templates.transactions[member]!.steps)))];
    const apart = domainsApart(domains, draw, random.fork('apart'));
    const use = new NumberUse(this.templates.schema, firstState(fixture));
    return {
      number: this.numberOf(together, draw),
      made: { transactions: together.name, world: fixture.name },
      fixture,
      transactions: together.members.map((member, session) =>
        this.transaction(this.templates.transactions[member]!, {
          draw,
          use,
          random: random.fork(String(session)),
          place: (domain) => (apart.has(domain) ? session % 2 : 0),
          meets: patternOf(draw) <= domains.length ? 1 : MEETS,
          unique: () => next++,
        }),
      ),
    };
  }

  /** Makes the program of the transactions in a fixture, with the values of the aimed draw. */
  aimed(together: Together, { way, place, values }: AimedDraw, fixture: Fixture): Program {
    const draw = FIRST_AIMED + place;
    const random = this.drawOf(draw).fork(together.name);
    const use = new NumberUse(this.templates.schema, firstState(fixture));
    return {
      number: this.numberOf(together, draw),
      made: { transactions: together.name, world: fixture.name, way },
      fixture,
      transactions: together.members.map((member, session) => {
        let next = this.firstUnique(session);
        const template = this.templates.transactions[member]!;
        const own = random.fork(String(session));
        const key = valueKeys();
        const statements = boundStatements(template.steps, {
          value: (parameter, drawn) => values[session]?.[key(parameter.name)] ?? parameter.draw(own, drawn, () => next++),
          times: (from) => from,
        });
        return this.bound(template, statements, template.rollback === 1 ? 'rollback' : 'commit', use);
      }),
    };
  }

  /** The sessions of an aimed draw take different `unique` numbers. */
  firstUnique(session: number): number {
    return this.templates.uniques + session * UNIQUES;
  }

  numberOf(together: Pick<Together, 'name'>, draw: number): number {
    return draw * this.together.length + this.together.findIndex(({ name }) => name === together.name);
  }

  /** Returns the transactions and the draw of a program's number. Every number has a program. */
  numbered(number: number): { readonly together: Together; readonly draw: number } {
    return { together: this.together[number % this.together.length]!, draw: Math.floor(number / this.together.length) };
  }

  private drawOf(draw: number): Random {
    return this.random.fork(`draw ${draw}`);
  }

  private prelude(draw: number): { readonly transactions: readonly ProgramTxn[]; readonly uniques: number } {
    if (draw % 2 === 0) return { transactions: [], uniques: 0 };
    const { transactions, uniques } = this.templates;
    const random = this.drawOf(draw).fork('before');
    const weights = Object.fromEntries(transactions.map(({ weight }, n) => [String(n), weight]));
    const use = new NumberUse(this.templates.schema, {});
    let next = uniques;
    const ran = transactions.map((_, n) => {
      const own = random.fork(String(n));
      return this.transaction(transactions[Number(own.weighted(weights))]!, {
        draw,
        use,
        random: own,
        place: (domain) => own.fork(domain).int(0, 1),
        meets: MEETS,
        unique: () => next++,
      });
    });
    return { transactions: ran, uniques: next - uniques };
  }

  private transaction(template: TransactionTemplate, drawing: Drawing): ProgramTxn {
    const { draw, random, use } = drawing;
    const values = this.drawOf(draw).fork('values');
    const end = random.chance(template.rollback) ? 'rollback' : 'commit';
    const statements = boundStatements(template.steps, {
      value: (parameter, drawn) => valueOf(parameter, drawn, values, drawing),
      // A repeat runs as few times as the file allows, because the orders are many even then.
      times: (from) => from,
    });
    return this.bound(template, statements, end, use);
  }

  private bound(
    { name, retries, autocommit }: TransactionTemplate,
    statements: readonly BoundStatement[],
    end: ProgramTxn['end'],
    use: NumberUse,
  ): ProgramTxn {
    const { schema } = this.templates;
    return {
      name,
      steps: statements.map(({ statement, written }) => ({
        ...numberedStepOf(statement, schema, use),
        ...(written !== undefined && { written }),
      })),
      end,
      ...(autocommit && { autocommit }),
      ...(retries > 0 && { retries }),
    };
  }
}

/** Returns the domains in which the sessions take different values. */
function domainsApart(domains: readonly string[], draw: number, random: Random): ReadonlySet<string> {
  const pattern = patternOf(draw);
  return new Set(pattern <= domains.length ? domains.slice(Math.max(0, pattern - 1), pattern) : domains.filter(() => random.chance(0.5)));
}

/** 0: all domains alike; n: the nth is apart; beyond: at random. */
function patternOf(draw: number): number {
  return Math.floor(draw / 2);
}

interface Drawing {
  readonly draw: number;
  readonly use: NumberUse;
  readonly random: Random;
  /** Selects one of a domain's two values. */
  readonly place: (domain: string) => number;
  /** The chance that one of the two is taken at all. */
  readonly meets: number;
  readonly unique: () => number;
}

/** `values` is the same for all transactions of a draw. */
function valueOf(
  parameter: Parameter,
  drawn: ReadonlyMap<string, BoundValue>,
  values: Random,
  { random, place, meets, unique }: Drawing,
): Value {
  const { domain } = parameter;
  if (domain === undefined || !random.chance(meets)) return parameter.draw(random, drawn, unique);
  const both = twoOf(domain, values.fork(domain.name));
  const wanted = place(domain.name) === 0 ? both : both.toReversed();
  const value = wanted.find((each) => parameter.allows?.(each, drawn) !== false);
  return value === undefined ? parameter.draw(random, drawn, unique) : value;
}

/** Draws two different values, if the domain has them. */
function twoOf({ draw }: NonNullable<Parameter['domain']>, random: Random): readonly [Value, Value] {
  const first = draw(random);
  let second = draw(random);
  for (let i = 0; i < ATTEMPTS && second === first; i++) second = draw(random);
  return [first, second];
}

/** Returns the domains in the order of the file. */
function domainsIn(steps: readonly StepTemplate[]): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === 'parameter' && step.parameter.domain !== undefined
      ? [step.parameter.domain.name]
      : step.kind === 'repeat'
        ? domainsIn(step.steps)
        : [],
  );
}

/** Returns the place of each column of the primary key. A table without one has nothing that names its rows. */
export function rowNamesOf({ tables }: Schema): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    tables.map(({ name, columns, primaryKey }) => [name, primaryKey.map((column) => columns.findIndex((each) => each.name === column))]),
  );
}
