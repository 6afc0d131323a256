/**
 * Two transactions of a workload file, stepped as two people with a terminal each would step them, on PostgreSQL. It shares
 * nothing with the explorer: it reads the file by lines, sends the statements as they stand, and asks the server who waits.
 * So what the explorer says of a race or of a cure is held against schedules that are run by hand.
 *
 * Schedules that show nothing throw: those of a file without invariants, of transactions that do not commit even alone, of
 * transactions that break the invariant one after the other, and those in which neither transaction commits.
 */
import { Client } from 'pg';
import type { FileByLines } from './file-by-lines.ts';
import { Terminal } from './terminal.ts';
import type { End, Values } from './terminal.ts';

/** One of the two: a transaction of the file, and what its parameters are. */
export interface Typed {
  readonly transaction: string;
  readonly values: Values;
}

export interface Terminals {
  readonly url: string;
  readonly level: string;
  /** So often a transaction is begun again that the server refused. */
  readonly retries: number;
  /** Schedules stop one of the two, or both, before the first one goes on. */
  readonly stops: 1 | 2;
  /** A transaction may fail by a constraint even alone: the cure is said to forbid what goes well in turn. */
  readonly forbids?: true;
}

/** So many steps of the first, then so many of the second, then the rest of the first, then of the second. */
interface Schedule {
  readonly typed: readonly [Typed, Typed];
  readonly steps: readonly [number, number];
}

interface Outcome {
  readonly ends: readonly [End, End];
  readonly keeps: boolean;
}

/** The schedules after which an invariant is broken. */
export async function brokenBy(file: FileByLines, pair: readonly [Typed, Typed], terminals: Terminals): Promise<readonly string[]> {
  if (file.invariants.length === 0) throw new Error('the file has no invariant that a schedule can break');
  const clients = await Promise.all([0, 1, 2].map(() => connected(terminals.url)));
  const two = new TwoTerminals(file, terminals, clients);
  try {
    for (const typed of [pair, pair.toReversed()] as readonly (readonly [Typed, Typed])[]) await two.mustDoSomething(typed);
    const broken: string[] = [];
    for (const schedule of two.schedules(pair)) if (!(await two.keepsTogether(schedule))) broken.push(wordsOf(schedule));
    return broken;
  } finally {
    await clients[0]!.query(DROP);
    for (const client of clients) await client.end();
  }
}

function wordsOf({ typed: [first, second], steps }: Schedule): string {
  return `${steps[0]} steps of ${JSON.stringify(first)}, ${steps[1]} of ${JSON.stringify(second)}, then the rest`;
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`SET search_path TO ${SCHEMA}`);
  return client;
}

const SCHEMA = 'two_terminals';
const DROP = `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`;

class TwoTerminals {
  private readonly file: FileByLines;
  private readonly terminals: Terminals;
  private readonly desk: Client;
  private readonly others: readonly [Client, Client];

  constructor(file: FileByLines, terminals: Terminals, [desk, one, two]: readonly Client[]) {
    this.file = file;
    this.terminals = terminals;
    this.desk = desk!;
    this.others = [one!, two!];
  }

  *schedules([a, b]: readonly [Typed, Typed]): Iterable<Schedule> {
    for (const typed of [
      [a, b],
      [b, a],
    ] as const) {
      const [first, second] = typed.map((each) => this.stepsOf(each)) as [number, number];
      for (let one = 1; one < first; one++)
        for (let two = this.terminals.stops === 1 ? second : 1; two <= second; two++) yield { typed, steps: [one, two] };
    }
  }

  /** The first alone, and then the other one: schedules of what does nothing, or is wrong in turn, say nothing of a race. */
  async mustDoSomething(typed: readonly [Typed, Typed]): Promise<void> {
    const { ends, keeps } = await this.outcome({ typed, steps: [this.stepsOf(typed[0]), 0] });
    const isForbidden = this.terminals.forbids === true && ends[0] === 'against a constraint';
    if (ends[0] !== 'committed' && !isForbidden) throw new Error(`alone ${JSON.stringify(typed[0])} is ${ends[0]}`);
    if (!keeps) throw new Error(`an invariant is broken one after the other: ${JSON.stringify(typed)}`);
  }

  async keepsTogether(schedule: Schedule): Promise<boolean> {
    const { ends, keeps } = await this.outcome(schedule);
    const { forbids, retries } = this.terminals;
    if (!ends.includes('committed') && forbids !== true) throw new Error(`neither commits (${ends.join(', ')}): ${wordsOf(schedule)}`);
    if (ends.includes('refused') && retries > 0) throw new Error(`refused again and again: ${wordsOf(schedule)}`);
    return keeps;
  }

  private async outcome(schedule: Schedule): Promise<Outcome> {
    const { desk, others, file } = this;
    try {
      await desk.query([DROP, `CREATE SCHEMA ${SCHEMA}`, ...file.setup].join(';\n'));
      const ends = await this.run(schedule);
      let keeps = true;
      for (const invariant of file.invariants) keeps = (await desk.query(invariant)).rowCount === 0 && keeps;
      return { ends, keeps };
    } finally {
      // After an error one of them may still hold locks.
      await Promise.all(others.map((client) => client.query('ROLLBACK')));
    }
  }

  private async run({ typed, steps }: Schedule): Promise<readonly [End, End]> {
    const { desk, terminals } = this;
    const [one, two] = typed.map(
      ({ transaction, values }, t) =>
        new Terminal(this.others[t]!, {
          statements: this.statementsOf(transaction),
          values,
          level: terminals.level,
          retries: terminals.retries,
        }),
    ) as [Terminal, Terminal];
    for (const [t, terminal] of [one, two].entries())
      for (let step = 0; step < steps[t]! && terminal.end === undefined; step++) if (!(await terminal.step(desk))) break;
    // A session that waits is passed over until the other one has moved on.
    const [first, second] = steps[1] < this.stepsOf(typed[1]) ? [one, two] : [two, one];
    while (first.end === undefined || second.end === undefined) {
      while (first.end === undefined && (await first.step(desk)));
      if (second.end === undefined) await second.step(desk);
    }
    return [one.end!, two.end!];
  }

  /** COMMIT is one. */
  private stepsOf({ transaction }: Typed): number {
    return this.statementsOf(transaction).length + 1;
  }

  private statementsOf(transaction: string): readonly string[] {
    const statements = this.file.transactions.get(transaction);
    if (statements === undefined) throw new Error(`the file has no transaction ${transaction}`);
    return statements;
  }
}
