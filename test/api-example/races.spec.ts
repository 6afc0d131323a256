import { explore } from 'anomalist';
import { expect, test } from 'vitest';

test('no two transactions race', async () => {
  const { findings, inconclusive } = await explore('postgres@18', 'withdraw.sql', { levels: ['read-committed'] });
  expect(findings.map(({ name, breaks, transcript }) => `${name}, breaks ${breaks.join()}\n${transcript}`)).toEqual([]);
  expect(inconclusive).toEqual([]);
}, 600_000);
