/** One of two people with a terminal: a session on PostgreSQL that sends the statements of one transaction as they stand. */
import type { Client } from 'pg';

export type Values = Readonly<Record<string, number | string>>;

/** The end of a transaction; `refused`: as often as it was begun. */
export type End = 'committed' | 'rolled back' | 'refused' | 'against a constraint';

export interface Typing {
  readonly statements: readonly string[];
  readonly values: Values;
  readonly level: string;
  /** So often a transaction is begun again that the server refused. */
  readonly retries: number;
}

/** serialization_failure, deadlock_detected. */
const REFUSALS: ReadonlySet<string> = new Set(['40001', '40P01']);
/** unique_violation, exclusion_violation, foreign_key_violation. */
const CONSTRAINTS: ReadonlySet<string> = new Set(['23505', '23P01', '23503']);

export class Terminal {
  end: End | undefined;
  readonly client: Client;
  private readonly typing: Typing;
  private retries: number;
  private next = 0;
  private names = new Map<string, string | number | null>();
  private running: Promise<void> | undefined;
  private settled = true;
  private rowCount = 0;

  constructor(client: Client, typing: Typing) {
    this.client = client;
    this.typing = typing;
    this.retries = typing.retries;
  }

  /** Sends the next statement, or looks after the one that waits; false where it waits. */
  async step(desk: Client): Promise<boolean> {
    if (this.running === undefined) {
      this.settled = false;
      this.running = this.send().finally(() => (this.settled = true));
      // An error is thrown where the statement is awaited.
      this.running.catch(() => {});
    }
    const pid = (this.client as unknown as { processID: number }).processID;
    // Most statements are answered at once, and nobody needs to be asked.
    await Promise.race([this.running, soon()]);
    while (!this.settled) {
      const { rows } = await desk.query<{ waits: boolean }>('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [pid]);
      if (rows[0]!.waits && !this.settled) return false;
      await soon();
    }
    await this.running;
    this.running = undefined;
    return true;
  }

  private async send(): Promise<void> {
    const { statements, level } = this.typing;
    try {
      if (this.next === 0) await this.client.query(`BEGIN ISOLATION LEVEL ${level}`);
      if (this.next === statements.length) {
        await this.finish('COMMIT');
        return;
      }
      await this.statement(statements[this.next]!);
      this.next++;
    } catch (error) {
      await this.client.query('ROLLBACK');
      const { code = '' } = error as { code?: string };
      // Any other error is a mistake of the file or of this code, and shows nothing about a race.
      if (!REFUSALS.has(code) && !CONSTRAINTS.has(code)) throw error;
      const again = REFUSALS.has(code) && this.retries-- > 0;
      this.next = 0;
      this.names = new Map();
      if (!again) this.end = REFUSALS.has(code) ? 'refused' : 'against a constraint';
    }
  }

  private async finish(sql: string): Promise<void> {
    // The server answers a COMMIT of a transaction that failed with ROLLBACK.
    const { command } = await this.client.query(sql);
    this.end = command === 'COMMIT' ? 'committed' : 'rolled back';
  }

  private async statement(text: string): Promise<void> {
    const branch = /^IF (.*?)(?: THEN)? (ROLLBACK|COMMIT)$/s.exec(text);
    if (branch !== null) {
      const { rows } = await this.client.query<{ holds: boolean | null }>(`SELECT (${this.filled(branch[1]!)}) AS holds`);
      if (rows[0]!.holds === true) await this.finish(branch[2]!);
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
      const value = this.names.has(name) ? this.names.get(name) : this.typing.values[name];
      if (value === undefined) throw new Error(`:${name} has no value in ${text}`);
      if (value === null) return 'NULL';
      return /^-?\d+$/.test(String(value)) ? String(value) : `'${value}'`;
    });
  }
}

function soon(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
}
