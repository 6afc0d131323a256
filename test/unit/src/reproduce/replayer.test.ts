// A replay that the user ends is interrupted, not failed: exit 130, not 2.
import { expect, test } from 'vitest';
import { DatabaseError } from '../../../../core/base/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { Interrupted } from '../../../../src/process/interruption.ts';
import { Replayer } from '../../../../src/reproduce/index.ts';
import { caseNamed, ScriptedLab } from './scripted-replayer.ts';
import type { Execution } from './scripted-replayer.ts';

test('after Ctrl-C nothing more is executed', async () => {
  const replayer = new Replayer({ name: 'never asked', dialect: postgres, urls: ['postgres://h/db'] }, AbortSignal.abort());
  await expect(replayer.attempt(caseNamed('s'), { level: postgres.levels[0]! })).rejects.toThrow(Interrupted);
});

test('an execution that lost its session or the connection is a loss; one that is refused is none', async () => {
  const lostBy = async (execution: Execution): Promise<string | undefined> => {
    const replayer = new ScriptedLab(() => execution);
    await replayer.attempt(caseNamed('s'), { level: postgres.levels[0]! }).catch(() => undefined);
    return replayer.lost;
  };
  const refused = (code: string): Error => new DatabaseError(`refused ${code}`, { cause: Object.assign(new Error('no'), { code }) });
  expect(await lostBy('cut')).toBe('session 1 was lost');
  expect(await lostBy(refused('57P02'))).toBe('refused 57P02');
  expect(await lostBy(refused('42501'))).toBeUndefined();
  expect(await lostBy('nothing')).toBeUndefined();
});
