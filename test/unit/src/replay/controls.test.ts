// What a control says of a level where some of its tries were cut short.
import { describe, expect, it } from 'vitest';
import type { Control } from '../../../../core/index.ts';
import { DatabaseError } from '../../../../core/index.ts';
import { control, sought } from '../../../../src/replay/controls.ts';
import { caseNamed, ScriptedLab, wantedAt } from './scripted-replayer.ts';
import type { Execution } from './scripted-replayer.ts';

function tried(...executions: readonly Execution[]): Promise<Control> {
  const wanted = wantedAt('serializable', 'bug');
  return control(new ScriptedLab((_, n) => executions[n - 1]!), caseNamed('s'), sought(wanted), wanted.level, { own: true, times: 3 });
}

describe('a control', () => {
  it.each<[string, Execution]>([
    ['cut short', 'cut'],
    ['refused', new DatabaseError('no more space')],
  ])('whose second try is %s still says what the first one showed', async (_, execution) => {
    expect(await tried('skew', execution)).toMatchObject({ outcome: 'occurs', rate: { tries: 1, seen: 1 }, judgement: { verdict: 'bug' } });
  });

  it('counts the tries that ran, and says why there were no more', async () => {
    expect(await tried('nothing', 'cut')).toMatchObject({ outcome: 'not run: session 1 was lost', rate: { tries: 1, seen: 0 } });
    expect(await tried(new DatabaseError('no more space'))).toMatchObject({
      outcome: 'not run: no more space',
      rate: { tries: 0, seen: 0 },
    });
    expect(await tried('nothing', 'skew', 'nothing')).toMatchObject({ outcome: 'occurs', rate: { tries: 3, seen: 1 } });
  });
});
