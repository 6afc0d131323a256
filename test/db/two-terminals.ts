/**
 * Two transactions of a workload file, stepped as two people with a terminal each would step them, on PostgreSQL. It shares
 * nothing with the explorer: it reads the file by lines, sends the statements as they stand, and asks the server who waits.
 * So what the explorer says of a race or of a cure is held against schedules that are run by hand.
 */
import { Client } from 'pg';

export type Values = Readonly<Record<string, number | string>>;

/** One of the two: a transaction of the file, and what its parameters are. */
export interface Typed {
  readonly transaction: string;
  readonly values: Values;
}

interface FileText {
  readonly setup: readonly string[];
  readonly transactions: ReadonlyMap<string, readonly string[]>;
  readonly invariants: readonly string[];
}

export interface Terminals {
  readonly url: string;
  readonly level: string;
  /** So often a transaction is begun again that the server refused. */
  readonly retries: number;
}

/** The schedules, of all that stop one of the two once, after which an invariant is broken. */
export async function brokenBy(text: string, [a, b]: readonly [Typed, Typed], terminals: Terminals): Promise<readonly string[]> {
  const file = fileOf(text);
  const clients = await Promise.all([0, 1, 2].map(() => connected(terminals.url)));
  const broken: string[] = [];
  try {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const steps = file.transactions.get(first.transaction)!.length + 1; // COMMIT is one
      for (let stopped = 0; stopped <= steps; stopped++)
        if (!(await keeps(file, [first, second], stopped, terminals, clients)))
          broken.push(`${stopped} steps of ${JSON.stringify(first)}, then all of the other`);
    }
  } finally {
    for (const client of clients) await client.end();
  }
  return broken;
}

async function keeps(
  file: FileText,
  typed: readonly [Typed, Typed],
  stopped: number,
  { level, retries }: Terminals,
  clients: readonly Client[],
): Promise<boolean> {
  const [desk, ...others] = clients as [Client, Client, Client];
  const schema = `two_terminals_${stopped}`;
  const [one, two] = typed.map((each, t) => new Terminal(others[t]!, file, each, level, retries)) as [Terminal, Terminal];
  await desk.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await desk.query(`CREATE SCHEMA ${schema}`);
  try {
    for (const client of clients) await client.query(`SET search_path TO ${schema}`);
    for (const statement of file.setup) await desk.query(statement);
    for (let step = 0; step < stopped && !one.ended; step++) await one.step(desk);
    // Whoever waits is passed over until the other one has moved on.
    while (!one.ended || !two.ended) {
      while (!two.ended && (await two.step(desk)));
      if (!one.ended) await one.step(desk);
    }
    const answers = [];
    for (const invariant of file.invariants) answers.push(await desk.query(invariant));
    return answers.every(({ rowCount }) => rowCount === 0);
  } finally {
    await desk.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

class Terminal {
  ended = false;
  readonly client: Client;
  private readonly statements: readonly string[];
  private readonly own: Values;
  private readonly level: string;
  private retries: number;
  private next = 0;
  private names = new Map<string, string | number | null>();
  private running: Promise<void> | undefined;
  private settled = true;
  private rowCount = 0;

  constructor(client: Client, file: FileText, { transaction, values }: Typed, level: string, retries: number) {
    this.client = client;
    this.statements = file.transactions.get(transaction)!;
    this.own = values;
    this.level = level;
    this.retries = retries;
  }

  /** Sends the next statement, or looks after the one that waits; false where it waits. */
  async step(desk: Client): Promise<boolean> {
    if (this.running === undefined) {
      this.settled = false;
      this.running = this.send().finally(() => (this.settled = true));
    }
    const pid = (this.client as unknown as { processID: number }).processID;
    while (!this.settled) {
      const { rows } = await desk.query<{ waits: boolean }>('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [pid]);
      if (rows[0]!.waits && !this.settled) return false;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await this.running;
    this.running = undefined;
    return true;
  }

  private async send(): Promise<void> {
    try {
      if (this.next === 0) await this.client.query(`BEGIN ISOLATION LEVEL ${this.level}`);
      if (this.next === this.statements.length) {
        await this.client.query('COMMIT');
        this.ended = true;
        return;
      }
      await this.statement(this.statements[this.next]!);
      this.next++;
    } catch (error) {
      await this.client.query('ROLLBACK');
      const again = ['40001', '40P01'].includes((error as { code?: string }).code ?? '') && this.retries > 0;
      this.retries--;
      this.next = 0;
      this.names = new Map();
      this.ended = !again;
    }
  }

  private async statement(text: string): Promise<void> {
    const branch = /^IF (.*?)(?: THEN)? (ROLLBACK|COMMIT)$/s.exec(text);
    if (branch !== null) {
      const { rows } = await this.client.query<{ holds: boolean | null }>(`SELECT (${this.filled(branch[1]!)}) AS holds`);
      if (rows[0]!.holds !== true) return;
      await this.client.query(branch[2]!);
      this.ended = true;
      return;
    }
    const counted = /^GET DIAGNOSTICS :(\w+) = ROW_COUNT$/.exec(text);
    if (counted !== null) {
      this.names.set(counted[1]!, this.rowCount);
      return;
    }
    const into = /\sINTO\s+(:\w+(?:\s*,\s*:\w+)*)/.exec(text);
    const { rows, rowCount } = await this.client.query<(string | number | null)[]>({
      text: this.filled(text.replace(into?.[0] ?? '', '')),
      rowMode: 'array',
    });
    this.rowCount = rowCount ?? 0;
    if (into !== null) for (const [n, name] of into[1]!.split(',').entries()) this.names.set(name.trim().slice(1), rows[0]?.[n] ?? null);
  }

  private filled(text: string): string {
    return text.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => {
      const value = this.names.has(name) ? this.names.get(name) : this.own[name];
      if (value === undefined) throw new Error(`:${name} has no value in ${text}`);
      if (value === null) return 'NULL';
      return /^-?\d+$/.test(String(value)) ? String(value) : `'${value}'`;
    });
  }
}

function fileOf(text: string): FileText {
  const setup: string[] = [];
  const transactions = new Map<string, readonly string[]>();
  const invariants: string[] = [];
  for (const part of text.split(/^-- @(?=schema|data|transaction|invariant)/m).slice(1)) {
    const [head = '', ...lines] = part.split('\n');
    const statements = lines
      .filter((line) => !line.startsWith('--'))
      .join('\n')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const [kind, name = ''] = head.trim().split(/\s+/);
    if (kind === 'transaction') transactions.set(name, statements);
    else (kind === 'invariant' ? invariants : setup).push(...statements);
  }
  return { setup, transactions, invariants };
}
