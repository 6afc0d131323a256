// Replays that came to their end are counted, others are not, and a server that cannot be used is an error.
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../../core/base/index.ts';
import type { Control } from '../../../../core/verdict/index.ts';
import { reproduceFinding } from '../../../../src/reproduce/index.ts';
import { replayOnce, replayTimes } from '../../../../src/reproduce/replay.ts';
import type { Wanted } from '../../../../src/reproduce/replay.ts';
import { caseNamed, ScriptedLab, wantedAt } from './scripted-replayer.ts';
import type { Execution } from './scripted-replayer.ts';

const WANTED = wantedAt('repeatable-read', 'documented');
const failed = (code: string): DatabaseError =>
  new DatabaseError(`cannot make the schema: ${code}`, { cause: Object.assign(new Error('refused'), { code }) });
const labOf = (...executions: readonly Execution[]): ScriptedLab => new ScriptedLab((_, n) => executions[n - 1] ?? executions.at(-1)!);

describe('k of N', () => {
  it.each<[string, readonly Execution[], object]>([
    ['counts the replays that ran', ['skew', 'nothing', 'skew', 'nothing'], { tries: 4, seen: 2 }],
    ['makes up for the ones that were cut short', ['skew', 'cut', 'skew', 'cut', 'skew', 'nothing'], { tries: 4, seen: 3 }],
    ['does not count a refused one', [failed('42601'), 'skew'], { tries: 4, seen: 4 }],
    ['ends where too many are cut short', ['skew', 'cut'], { tries: 1, seen: 1 }],
  ])('%s', async (_, executions, rate) => {
    expect((await replayTimes(labOf(...executions), caseNamed('s'), WANTED, 4)).rate).toEqual(rate);
  });
});

describe('a replay', () => {
  it('shows an anomaly only with the verdict that is wanted: what is documented at one level is no bug at another', async () => {
    const shown = async (verdict: Wanted['verdict'], level: Control['level']): Promise<string | undefined> =>
      (await replayOnce(labOf('skew'), caseNamed('s'), wantedAt(level, verdict))).shown?.judgement.verdict;
    expect([await shown('documented', 'repeatable-read'), await shown('bug', 'repeatable-read')]).toEqual(['documented', undefined]);
    expect([await shown('documented', 'serializable'), await shown('bug', 'serializable')]).toEqual([undefined, 'bug']);
  });

  it.each(['42601', '42P01', '23503', '22003', '57014'])('shows nothing where the schema is refused with %s', async (code) => {
    expect(await replayOnce(labOf(failed(code)), caseNamed('s'), WANTED)).toEqual({ ran: false });
  });

  it.each(['ECONNREFUSED', '57P01', '53300', '28P01', '42501'])('is an error where the server answers %s', async (code) => {
    const replayer = labOf('nothing', failed(code));
    await expect(
      reproduceFinding(
        replayer,
        { observed: caseNamed('observed') },
        { wanted: WANTED, times: 4, reduceMs: 0, plain: false, controls: false },
      ),
    ).rejects.toThrow(`cannot make the schema: ${code}`);
    expect(replayer).toMatchObject({ executions: 2, ran: 1 });
  });
});
