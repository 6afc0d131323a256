// A replay that the user ends is interrupted, not failed: exit 130, not 2.
import { expect, test } from 'vitest';
import { postgres } from '../../../../dialects/index.ts';
import { Interrupted } from '../../../../src/terminal/interruption.ts';
import { Lab } from '../../../../src/replay/index.ts';
import { caseNamed } from './scripted-lab.ts';

test('after Ctrl-C nothing more is executed', async () => {
  const lab = new Lab({ name: 'never asked', dialect: postgres, urls: ['postgres://h/db'] }, AbortSignal.abort());
  await expect(lab.attempt(caseNamed('s'), { level: postgres.levels[0]! })).rejects.toThrow(Interrupted);
});
