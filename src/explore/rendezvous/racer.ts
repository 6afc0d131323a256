/**
 * Races one program round after round. Starting offsets and pauses come from a seed. What the server does between them
 * does not, so a race is repeated by racing until it shows the same again.
 */
import type { Random } from '../../../core/base/index.ts';
import { firstState } from '../../../core/program/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import type { Played } from '../play.ts';
import type { RacingRunner } from '../race.ts';
import { Pauses } from './pauses.ts';
import { raceRound } from './race-round.ts';

/** The longest offset of a round, in milliseconds, is one of these. Statements take from some hundred microseconds on. */
const SPREADS = [0, 0.1, 0.5, 2, 5] as const;
/** Pauses make a round longer, and some races show better without. */
const PAUSED = 0.5;

export class Racer {
  private readonly runner: RacingRunner;
  private readonly program: Program;
  private readonly seed: number;
  private readonly offsets: Random;
  private readonly pausing: Random;
  /** Absent: the server was not started by Anomalist, or its sessions are no processes. */
  private readonly pauses: Pauses | undefined;

  /** The program is loaded. */
  constructor(runner: RacingRunner, program: Program, seed: number) {
    const random = createRandom(String(seed));
    const processes = runner.processes?.() ?? [];
    this.runner = runner;
    this.program = program;
    this.seed = seed;
    this.offsets = random.fork('offsets');
    this.pausing = random.fork('pauses');
    this.pauses = processes.length > 0 ? new Pauses(processes) : undefined;
  }

  async next(): Promise<Played> {
    const { runner, program, pauses, pausing } = this;
    const offsets = this.drawnOffsets();
    const paused = pausing.chance(PAUSED);
    await runner.reset(firstState(program.fixture));
    const racing = raceRound(runner, program, offsets);
    const round = await (pauses !== undefined && paused ? pauses.during(racing, pausing) : racing);
    return round.played(await runner.state(), this.seed);
  }

  private drawnOffsets(): readonly number[] {
    const spread = this.offsets.pick(SPREADS);
    return this.program.transactions.map(() => (spread * this.offsets.int(0, 1000)) / 1000);
  }
}
