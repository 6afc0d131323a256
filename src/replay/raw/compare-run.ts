/**
 * Compares one run of a .spec with the serial orders of its transactions. It is compared only if every session is one
 * transaction by the protocol's status, and if those that committed ran at the level in question. Everything else is not
 * compared, with its reason. Transactions that did not commit are left out, because nothing of them may remain.
 */
import type { Dialect, DialectLevel } from '../../../core/dialect/index.ts';
import type { NotCompared } from '../../../core/verdict/index.ts';
import type { SpecWitness } from '../spec/judge-spec.ts';
import { openWord } from '../spec/open-answers.ts';
import type { Spec } from '../spec/parse-spec.ts';
import type { SpecRun, SpecRunner } from '../spec/spec-runner.ts';
import { SerialRuns, explains } from '../spec/spec-serial.ts';
import type { SerialRun } from '../spec/spec-serial.ts';
import { SpecStop } from '../spec/spec-stop.ts';
import { transactionsOfRun } from '../spec/spec-transactions.ts';
import type { SpecTransaction } from '../spec/spec-transactions.ts';
import { RawLevels } from './raw-levels.ts';

export type ComparedRun =
  | { readonly is: 'explained'; readonly level: DialectLevel }
  | { readonly is: 'different'; readonly level: DialectLevel; readonly witness: SpecWitness }
  | { readonly is: 'not compared'; readonly reason: NotCompared };

interface Compares {
  readonly dialect: Dialect;
  /** Absent: the level of the run's own transactions. */
  readonly asked: DialectLevel | undefined;
}

export class RunComparer {
  private readonly spec: Spec;
  private readonly options: Compares;
  private readonly serial: SerialRuns;
  private readonly levels: RawLevels;

  constructor(runner: Pick<SpecRunner, 'run'>, spec: Spec, options: Compares) {
    this.spec = spec;
    this.options = options;
    this.serial = new SerialRuns(runner, spec, false);
    this.levels = new RawLevels(runner, spec, options.dialect);
  }

  /** Rejects with SpecStop if the file cannot be used or the server failed. */
  async compared(run: SpecRun): Promise<ComparedRun> {
    const transactions = transactionsOfRun(run);
    if ('code' in transactions) return { is: 'not compared', reason: transactions };
    const reason = this.incomparable(run, transactions);
    if (reason !== undefined) return { is: 'not compared', reason };
    try {
      return await this.withSerial(run, transactions);
    } catch (error) {
      if (error instanceof SpecStop && error.reason !== undefined) return { is: 'not compared', reason: error.reason };
      throw error;
    }
  }

  private incomparable({ setups }: SpecRun, transactions: readonly SpecTransaction[]): NotCompared | undefined {
    const { sessions } = this.spec;
    const several = sessions.find((_, s) => transactions.filter(({ session }) => session === s).length > 1);
    if (several !== undefined) return { code: 'several-transactions', session: several.name };
    const open = setups.findIndex((status) => status !== undefined && status !== 'outside');
    const beside = open < 0 ? -1 : setups.findIndex((status, session) => session > open && status === 'outside');
    if (beside >= 0) return { code: 'setup-beside-open', session: sessions[beside]!.name };
    return transactions.some(({ committed }) => committed) ? undefined : { code: 'nothing-committed' };
  }

  private async withSerial(run: SpecRun, transactions: readonly SpecTransaction[]): Promise<ComparedRun> {
    const committed = transactions.filter((txn) => txn.committed);
    const level = await this.levelOf(committed, run.setups);
    if ('code' in level) return { is: 'not compared', reason: level };
    const serial: SerialRun[] = [];
    for await (const each of this.serial.of(committed, run.setups)) {
      if (explains(run, each)) return { is: 'explained', level };
      serial.push(each);
    }
    const word = openWord(partIn(run, this.spec), true);
    if (word !== undefined) return { is: 'not compared', reason: { code: 'open-words', word } };
    if (!(await this.serial.answersAlike(committed, run.setups))) return { is: 'not compared', reason: { code: 'serial-order-unstable' } };
    return { is: 'different', level, witness: { run, transactions, serial } };
  }

  private async levelOf(committed: readonly SpecTransaction[], setups: SpecRun['setups']): Promise<DialectLevel | NotCompared> {
    const { asked, dialect } = this.options;
    const found = new Set<string>();
    for (const txn of committed) {
      const { name: session } = this.spec.sessions[txn.session]!;
      const level = await this.levels.of(txn, setups);
      if (level === undefined) return { code: 'level-unknown', session };
      if (asked !== undefined && level !== asked.inForce) return { code: 'other-level', session, level, asked: asked.inForce };
      found.add(level);
    }
    if (found.size > 1) return { code: 'levels-differ', levels: [...found].toSorted() };
    const level = dialect.levels.find(({ inForce }) => found.has(inForce));
    return level ?? { code: 'level-unknown', session: this.spec.sessions[committed[0]!.session]!.name };
  }
}

/** The part of the file that took part in the run: its setups, and the steps that were sent. */
function partIn({ steps }: SpecRun, spec: Spec): Pick<Spec, 'setup' | 'sessions'> {
  const sent = new Set(steps.map(({ item }) => item.name));
  const sessions = spec.sessions.map((session) => ({ ...session, steps: session.steps.filter(({ name }) => sent.has(name)) }));
  return { setup: spec.setup, sessions };
}
