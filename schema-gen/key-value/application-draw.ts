/**
 * Draws transactions of an application (applications.ts). It draws the things that each concerns, and turns its steps
 * into statements on the objects of their fields. A step that moves a value reads it and writes back a value that the
 * session computes from it as it sends the statement (bindLastRead). No transaction reads an object twice, writes one
 * twice or reads its own writes.
 */
import { InternalError, keySampler } from '../../core/index.ts';
import type { Distribution, Random, Statement } from '../../core/index.ts';
import type { Application, Step, TransactionForm } from './applications.ts';
import { distinctKeys } from './distinct-keys.ts';
import { moveLastRead, read, write } from './statements.ts';

interface Sort {
  readonly fields: readonly string[];
  readonly count: number;
  /** The object of the first thing's first field. Those of one thing stand together. */
  readonly first: number;
}

/** Its objects: things of each sort, by their shares, and never fewer than one transaction needs. */
export class ApplicationDraw {
  readonly objects: number;
  private readonly sorts: ReadonlyMap<string, Sort>;
  private readonly application: Application;

  /** `wanted` is the approximate number of objects. */
  constructor(application: Application, wanted: number) {
    const { things, transactions } = application;
    this.application = application;
    const rows = Object.values(things).reduce((sum, { share, fields }) => sum + share * fields.length, 0);
    const sorts = new Map<string, Sort>();
    let first = 0;
    for (const [thing, { share, fields }] of Object.entries(things)) {
      const most = Math.max(...Object.values(transactions).map((form) => wantedOf(form, thing)));
      const count = Math.max(most, Math.floor((wanted * share) / rows));
      sorts.set(thing, { fields, count, first });
      first += count * fields.length;
    }
    this.sorts = sorts;
    this.objects = first;
  }

  /** Returns the transactions of a session, one a call. */
  session(distribution: Distribution, random: Random): () => readonly Statement[] {
    const { transactions } = this.application;
    const weights = Object.fromEntries(Object.entries(transactions).map(([name, { weight }]) => [name, weight]));
    const samplers = new Map(
      [...this.sorts].map(([thing, { count }]) => [thing, distinctKeys(keySampler(distribution, count, random.fork(thing)), count)]),
    );
    return () => {
      const form = transactions[random.weighted(weights)]!;
      const drawn = thingsOf(form, samplers, random);
      return form.steps.flatMap((step) => {
        const [name = '', field = ''] = step.field.split('.');
        const { thing, numbers } = drawn.get(name) ?? { thing: name, numbers: [0] };
        return numbers.flatMap((number) => statementsOf(step, this.object(thing, number, field), random));
      });
    };
  }

  private object(thing: string, number: number, field: string): number {
    const sort = this.sorts.get(thing);
    const place = sort?.fields.indexOf(field) ?? -1;
    if (sort === undefined || place < 0) throw new InternalError(`the application has no field ${thing}.${field}`);
    return sort.first + number * sort.fields.length + place;
  }
}

type Samplers = ReadonlyMap<string, (count: number) => readonly number[]>;

/** Returns the largest number of things of a sort that it needs. */
function wantedOf({ about }: TransactionForm, thing: string): number {
  return Object.values(about).reduce((sum, each) => sum + (each.thing === thing ? each.to : 0), 0);
}

function thingsOf(
  { about }: TransactionForm,
  samplers: Samplers,
  random: Random,
): ReadonlyMap<string, { readonly thing: string; readonly numbers: readonly number[] }> {
  const counts = Object.entries(about).map(([name, { thing, from, to }]) => ({ name, thing, count: random.int(from, to) }));
  const left = new Map<string, number[]>();
  for (const { thing } of counts) {
    const all = counts.reduce((sum, each) => sum + (each.thing === thing ? each.count : 0), 0);
    if (!left.has(thing)) left.set(thing, [...(samplers.get(thing)?.(all) ?? [])]);
  }
  return new Map(counts.map(({ name, thing, count }) => [name, { thing, numbers: left.get(thing)!.splice(0, count) }]));
}

function statementsOf(step: Step, object: number, random: Random): readonly Statement[] {
  if (step.do === 'read') return [read(object)];
  if (step.do === 'set') return [write(object, random.int(1, step.upTo))];
  return [read(object), moveLastRead(object, random.pick(step.by), step.around)];
}
