/**
 * Runs the console in a terminal. A line is a statement of a session (`S1: SELECT ...`) or a command with a colon before it. A
 * statement without a session's name goes to the last session. A wrong line gets a message and changes nothing.
 */
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import type { Paint } from '../../reports/index.ts';
import { oneLine } from '../../reports/index.ts';
import { writeWhole } from '../process/write-whole.ts';
import { READY_FIXTURES } from './ready-fixtures.ts';
import { SAVED_AS, formOf } from './saved.ts';
import { sessionName } from './step.ts';
import { graphLines, indented, replyLines, saidOf, seenLines, serialLines, stepLines, tableLines } from './words.ts';
import type { SqlConsole } from './sql-console.ts';
import { fixtureText } from './fixture.ts';

export interface ReplOptions {
  readonly say: (line: string) => void;
  readonly paint: Paint;
}

type Command = (words: string) => Promise<void>;

export class Repl {
  private opened: SqlConsole;
  private readonly options: ReplOptions;
  private session = 0;
  private said: ReadonlySet<string> = new Set();
  /** True after `:quit`: no further line is read. */
  over = false;
  /** True if an anomaly that the vendor rules out, or a status mismatch, was seen. */
  bug = false;

  constructor(sqlConsole: SqlConsole, options: ReplOptions) {
    this.opened = sqlConsole;
    this.options = options;
  }

  /** Returns the console that is open now. */
  get sqlConsole(): SqlConsole {
    return this.opened;
  }

  get prompt(): string {
    const waits = this.sqlConsole.consoleSessions.waitsIn(this.session) === undefined ? '' : ' (waits)';
    return `${sessionName(this.session)}${waits}> `;
  }

  greet(): void {
    const { consoleSessions, name, server, fixture } = this.sqlConsole;
    const levels = consoleSessions.levels.map(({ level }, s) => `${sessionName(s)} ${level}`).join(', ');
    this.tell([
      `${name}: ${oneLine(server)}`,
      `${oneLine(fixture.name)}: ${fixture.schema.tables.map((table) => `${oneLine(table.name)}(${table.columns.map((column) => oneLine(column.name)).join(', ')})`).join(' ')}`,
      `${levels}; S1: SELECT ... sends a statement, :help lists the rest`,
    ]);
  }

  /** Handles a line. It never rejects because of a wrong line or an error of the server. */
  async hear(line: string): Promise<void> {
    try {
      await this.lateReplies();
      const text = line.trim();
      if (text === '' || /^(#|--(\s|$))/.test(text)) return;
      const [, word, words = ''] = /^:(\w*)\s*(.*)$/s.exec(text) ?? [];
      if (word !== undefined) return await this.command(word, words.trim());
      const [, name, statement] = /^s?(\d+)\s*:\s*(.*)$/is.exec(text) ?? [];
      if (name === undefined) return await this.step(this.session, text);
      await this.step(Number(name) - 1, statement ?? '');
    } catch (error) {
      if (!(error instanceof UsageError) && !(error instanceof DatabaseError)) throw error;
      this.tell(error.message.split('\n'));
    }
  }

  private async command(word: string, words: string): Promise<void> {
    const command = Object.hasOwn(this.commands, word) ? this.commands[word] : undefined;
    if (command === undefined)
      return this.tell([
        `there is no :${oneLine(word)}; expected one of ${Object.keys(this.commands)
          .map((each) => `:${each}`)
          .join(', ')}`,
      ]);
    await command(words);
  }

  private readonly commands: Readonly<Record<string, Command>> = {
    graph: () => this.graph(),
    serial: () => this.serial(),
    see: (words) => this.see(words),
    save: (words) => this.save(words),
    steps: () => this.steps(),
    level: (words) => this.level(words),
    reset: (words) => this.reset(words),
    fixtures: () => this.fixtures(),
    // The name of `:fixtures` before 28 November 2026.
    worlds: () => this.fixtures(),
    help: () => this.help(),
    quit: () => this.quit(),
  };

  private async step(session: number, text: string): Promise<void> {
    const { consoleSessions } = this.sqlConsole;
    const sent = await consoleSessions.send(session, text);
    if ('refused' in sent) return this.tell([`not sent: ${oneLine(sent.refused)}`]);
    this.session = session;
    const { transactions } = consoleSessions.record;
    const own = sent.steps.find((step) => step.session === session && step.n === Math.max(...sent.steps.map(({ n }) => n)));
    for (const step of own === undefined ? sent.steps : [own, ...sent.steps.filter((each) => each !== own)])
      this.tell(replyLines(step, transactions[step.txn - 1]!, step !== own));
    this.bug ||= sent.steps.some(({ mismatch }) => mismatch !== undefined);
    if (consoleSessions.lost !== undefined) return this.tell(this.lostWords(consoleSessions.lost));
    if (sent.steps.some(({ kind, reply }) => kind === 'commit' && reply?.error === undefined)) await this.grown();
  }

  private lostWords(why: string): readonly string[] {
    const { transactions } = this.sqlConsole.record;
    const unknown = transactions.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => `T${id}`);
    return [
      `the server was lost: ${oneLine(why)}`,
      unknown.length === 0
        ? 'what was open is rolled back; what had committed before is as its replies say'
        : `unknown is whether ${unknown.join(', ')} committed; all else that was open is rolled back`,
      ':reset begins anew, :quit ends',
    ];
  }

  private async lateReplies(): Promise<void> {
    const { consoleSessions } = this.sqlConsole;
    for (const step of await consoleSessions.late()) this.tell(replyLines(step, consoleSessions.record.transactions[step.txn - 1]!, true));
  }

  /** Prints the edges and anomalies that the last commit added. */
  private async grown(): Promise<void> {
    const graph = await this.sqlConsole.graph();
    if (typeof graph === 'string') return this.tell([`no graph: ${oneLine(graph)}`]);
    this.tell(graphLines(graph, this.options.paint, this.said));
    this.noted(graph);
  }

  private async graph(): Promise<void> {
    const graph = await this.sqlConsole.graph();
    if (typeof graph === 'string') return this.tell([`no graph: ${oneLine(graph)}`]);
    const lines = graphLines(graph, this.options.paint);
    this.tell(
      lines.length > 0
        ? lines
        : [
            'no edges: ' +
              (graph.transactions.length < 2
                ? 'fewer than two transactions committed'
                : 'no committed transaction read or overwrote what another one wrote'),
          ],
    );
    this.noted(graph);
  }

  private noted(graph: Parameters<typeof saidOf>[0]): void {
    this.said = saidOf(graph);
    this.bug ||= graph.anomalies.some(({ judgement }) => judgement.verdict === 'bug');
  }

  private async serial(): Promise<void> {
    const plain = await this.sqlConsole.plain();
    this.tell(typeof plain === 'string' ? [`not told: ${oneLine(plain)}`] : serialLines(plain));
  }

  private async see(words: string): Promise<void> {
    const [, name, table] = /^(?:s?(\d+))?\s*(.*)$/is.exec(words) ?? [];
    const session = name === undefined ? this.session : Number(name) - 1;
    if (session < 0 || session >= this.sqlConsole.consoleSessions.levels.length)
      return this.tell([`there is no session ${sessionName(session)}`]);
    const seen = await this.sqlConsole.see(session, table === undefined || table === '' ? undefined : table);
    this.tell(typeof seen === 'string' ? [`not told: ${oneLine(seen)}`] : seenLines(seen));
  }

  private async save(path: string): Promise<void> {
    const form = formOf(path);
    if (form === undefined)
      return this.tell(['expected a name that ends in one of:', ...indented(SAVED_AS.map(({ end, title }) => `${end}  ${title}`))]);
    const saved = await this.sqlConsole.saved(form);
    if (typeof saved === 'string') return this.tell([`not saved: ${oneLine(saved)}`]);
    try {
      writeWhole(path, saved.text);
      this.tell([`${path} is written`]);
    } catch (error) {
      this.tell([`${path} cannot be written: ${(error as Error).message}`]);
    }
  }

  private async steps(): Promise<void> {
    const { steps, transactions } = this.sqlConsole.record;
    this.tell(steps.length === 0 ? ['nothing was sent yet'] : stepLines(steps, transactions));
  }

  private async level(words: string): Promise<void> {
    const [, name, level = ''] = /^(?:s?(\d+)\s+)?(\S*)$/i.exec(words) ?? [];
    const session = name === undefined ? undefined : Number(name) - 1;
    if (session !== undefined && (session < 0 || session >= this.sqlConsole.consoleSessions.levels.length))
      return this.tell([`there is no session ${sessionName(session)}`]);
    const why = level === '' ? undefined : this.sqlConsole.setLevel(level, session);
    this.tell(
      why === undefined ? [this.sqlConsole.consoleSessions.levels.map((each, s) => `${sessionName(s)} ${each.level}`).join(', ')] : [why],
    );
  }

  private async reset(fixture: string): Promise<void> {
    this.opened = await this.sqlConsole.anew(fixture === '' ? undefined : fixtureText(fixture));
    this.session = 0;
    this.said = new Set();
    this.greet();
  }

  private async fixtures(): Promise<void> {
    this.tell(
      tableLines(
        ['fixture', 'what it is for'],
        READY_FIXTURES.map(({ name, title }) => [name, title]),
      ),
    );
  }

  private async quit(): Promise<void> {
    this.over = true;
  }

  private async help(): Promise<void> {
    this.tell(HELP);
  }

  private tell(lines: readonly string[]): void {
    for (const line of indented(lines)) this.options.say(line);
  }
}

const HELP: readonly string[] = [
  'S1: SELECT ...        a statement of a session; without S1: it is the last one’s. The first of a transaction begins it.',
  'S1: COMMIT            ROLLBACK, SAVEPOINT a, ROLLBACK TO a, BEGIN',
  ':graph                who depends on whom among those that committed, and which anomalies that makes',
  ':serial               what each serial order of them would have answered',
  ':see S1 [TABLE]       the rows as S1 sees them, asked of a shadow run, so that nothing here is disturbed',
  ':steps                all that was sent, with its replies',
  ':save FILE            x.spec, x.sql (terminals), x.workload.sql',
  ':level [S1] LEVEL     of the transactions that begin from now on',
  ':reset [FIXTURE]      begins anew, with another fixture perhaps; :fixtures lists ready ones',
  ':quit                 ends; our schema is dropped, a server that we started is stopped',
];
