/**
 * The texts of a plan's statements. Those that are sent unchanged are printed before the first BEGIN, so that no session
 * waits for printing between two replies.
 */
import { namesNeeded } from '../../core/index.ts';
import type { Statement } from '../../core/index.ts';
import type { Texts } from './exchange.ts';
import type { SessionSetup } from './session-setup.ts';

export class PlanTexts {
  private readonly setup: SessionSetup;
  private readonly ahead: ReadonlyMap<Statement, Texts>;

  constructor(setup: SessionSetup) {
    this.setup = setup;
    this.ahead = new Map(sentAsTheyAre(setup).map((statement) => [statement, textsOf(statement, setup)]));
  }

  of(statement: Statement): Texts {
    return this.ahead.get(statement) ?? textsOf(statement, this.setup);
  }

  /** True if the statement is sent as the plan has it. */
  has(statement: Statement): boolean {
    return this.ahead.has(statement);
  }
}

function sentAsTheyAre({ plan, binds }: SessionSetup): readonly Statement[] {
  if (binds === true) return [];
  const all = plan.flatMap(({ statements }) =>
    statements.flatMap(({ before, statement }) => (before === undefined ? [statement] : [before.statement, statement])),
  );
  return all.filter((each) => namesNeeded(each).length === 0);
}

function textsOf(statement: Statement, { dialect, namespace }: SessionSetup): Texts {
  return { shown: dialect.print(statement), sent: dialect.print(statement, namespace) };
}
