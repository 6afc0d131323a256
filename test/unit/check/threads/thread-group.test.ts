/** A team of threads ends when one of them cannot go on: nobody waits for it for ever. */
import { expect, test } from 'vitest';
import { ThreadGroupFailure } from '../../../../check/index-kv.ts';
import type { Steps } from '../../../../check/index-kv.ts';
import { runTeam } from '../../../../src/judge/assess/threads/thread-group.ts';

function* threeSteps(): Steps<string> {
  for (let step = 0; step < 3; step++) yield undefined;
  return 'done';
}

const script = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

test.each([
  ['cannot be loaded', new URL('file:///there-is-no/such-script.js')],
  ['fails at once', script('throw new Error("out of memory")')],
  ['fails later', script('setTimeout(() => { throw new Error("out of memory"); }, 200)')],
])('a worker that %s fails the thread group', async (_, worker) => {
  await expect(runTeam(worker, 2, undefined, threeSteps)).rejects.toThrow(ThreadGroupFailure);
});

test('a thread group of one needs no worker', async () => {
  await expect(runTeam(script(''), 1, undefined, threeSteps)).resolves.toBe('done');
});
