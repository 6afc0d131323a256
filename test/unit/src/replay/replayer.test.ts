// A replay that the user ends is interrupted, not failed: exit 130, not 2.
import { expect, test } from 'vitest';
import { postgres } from '../../../../dialects/index.ts';
import { Interrupted } from '../../../../src/terminal/interruption.ts';
import { Replayer } from '../../../../src/replay/index.ts';
import { caseNamed } from './scripted-replayer.ts';

test('after Ctrl-C nothing more is executed', async () => {
  const replayer = new Replayer({ name: 'never asked', dialect: postgres, urls: ['postgres://h/db'] }, AbortSignal.abort());
  await expect(replayer.attempt(caseNamed('s'), { level: postgres.levels[0]! })).rejects.toThrow(Interrupted);
});
