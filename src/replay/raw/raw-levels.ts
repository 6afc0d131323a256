/**
 * Asks the server at which level a transaction of a .spec runs. The question is a statement, which might disturb a run
 * that is judged. So it is asked in a run of its own, in which the transaction's session is the only one that sends.
 */
import type { Dialect } from '../../../core/dialect/index.ts';
import type { RunItem, SpecRun, SpecRunner } from '../spec/spec-runner.ts';
import { SpecStop } from '../spec/spec-stop.ts';
import type { Spec } from '../spec/parse-spec.ts';
import { partsOf } from '../spec/spec-transactions.ts';
import type { SpecTransaction } from '../spec/spec-transactions.ts';

export class RawLevels {
  private readonly runner: Pick<SpecRunner, 'run'>;
  private readonly spec: Spec;
  private readonly question: string | undefined;
  private readonly kept = new Map<string, Promise<string | undefined>>();

  constructor(runner: Pick<SpecRunner, 'run'>, spec: Spec, { levelInForce }: Pick<Dialect, 'levelInForce'>) {
    this.runner = runner;
    this.spec = spec;
    this.question = levelInForce;
  }

  /** Returns the server's word for the level, in lower case. Undefined: it cannot be asked. */
  of(txn: SpecTransaction, setups: SpecRun['setups']): Promise<string | undefined> {
    const key = JSON.stringify([txn.session, txn.opened, txn.steps.map(({ item }) => item.name)]);
    let answer = this.kept.get(key);
    if (answer === undefined) this.kept.set(key, (answer = this.asked(txn, setups)));
    return answer;
  }

  private async asked(txn: SpecTransaction, setups: SpecRun['setups']): Promise<string | undefined> {
    const { session, steps, opened } = txn;
    if (this.question === undefined) return undefined;
    const alone = steps.length === 1 && !opened;
    // A single message that begins and ends a transaction leaves no place for the question.
    if (alone && partsOf(steps[0]!.item.sql).length > 1) return undefined;
    const { setup } = this.spec.sessions[session]!;
    const before: readonly RunItem[] = [
      ...(opened && setup !== undefined ? [{ session, name: 'setup', sql: setup, does: 'setup' } as const] : []),
      ...steps.slice(0, -1).map(({ item }) => item),
    ];
    const first = setup !== undefined && setups[session] === 'outside' ? [session] : [];
    try {
      const { steps: ran } = await this.runner.run([...before, { session, name: 'level', sql: this.question, does: 'level' }], first);
      const last = ran.at(-1)!;
      if (last.status !== (alone ? 'outside' : 'inside')) return undefined;
      return last.reply.rows[0]?.[0]?.toLowerCase();
    } catch (error) {
      if (error instanceof SpecStop && error.reason !== undefined) return undefined;
      throw error;
    }
  }
}
