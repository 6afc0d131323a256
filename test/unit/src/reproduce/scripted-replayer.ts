/** A Replayer whose executions are given: each shows a write skew, shows nothing, is cut short, or throws. */
import type { ServerFacts } from '../../../../core/dialect/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import type { History } from '../../../../core/history/index.ts';
import type { Control } from '../../../../core/verdict/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import type { AttemptOptions } from '../../../../src/reproduce/replayer.ts';
import { Replayer } from '../../../../src/reproduce/index.ts';
import type { Wanted } from '../../../../src/reproduce/replay.ts';
import type { RoundOutcome } from '../../../../src/execute/index.ts';
import { historyFromText } from '../../history-text.ts';

const SKEW = 't1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit';
const ONE_AFTER_THE_OTHER = 't1[0-90]: r y ,0.0; w x ,0.0,1.1; commit\nt2[100-190]: r x ,0.0,1.1; w y ,0.0,2.1; commit';

export type Execution = 'skew' | 'nothing' | 'cut' | Error | { readonly history: History };

export class ScriptedLab extends Replayer {
  private readonly play: (testCase: TestCase, n: number, mode: string) => Execution;

  constructor(play: (testCase: TestCase, n: number, mode: string) => Execution) {
    super({ name: 'scripted', dialect: postgres, urls: ['postgres://h/db'] });
    this.play = play;
  }

  protected override async execute(testCase: TestCase, { level, mode = 'exact' }: AttemptOptions): Promise<RoundOutcome> {
    const played = this.play(testCase, this.executions, mode);
    if (played instanceof Error) throw played;
    const complete = played !== 'cut';
    const history =
      typeof played === 'object'
        ? played.history
        : historyFromText(played === 'skew' ? SKEW : ONE_AFTER_THE_OTHER, { level: level.level, complete });
    return {
      history,
      complete,
      inForce: {},
      server: 'S',
      make: { words: 'S', number: '1' },
      configuration: {},
      endpoints: [],
      placed: [],
      invariants: [],
      laggingEndpoints: [],
      ...(!complete && { reason: 'session 1 was lost' }),
    };
  }

  override async server(): Promise<ServerFacts> {
    return { version: 'S', make: { words: 'S', number: '1' }, configuration: {} };
  }
}

export function wantedAt(level: Control['level'], verdict: Wanted['verdict']): Wanted {
  return { level: postgres.levels.find((each) => each.level === level)!, class: 'G2-item', verdict, predicates: false };
}

export function caseNamed(seed: string): TestCase {
  return { seed, schema: { tables: [] }, sessions: [], schedule: [] };
}
