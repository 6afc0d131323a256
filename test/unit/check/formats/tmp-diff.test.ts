import { test } from 'vitest';
import * as fc from 'fast-check';
import { assessForeign } from '../../../../src/assess/foreign.ts';
import { randomLists } from '../../../arbitraries/list-history.ts';
import { BRUTE_LEVELS, bruteForceLists } from './brute-force-lists.ts';
import { shownLists } from './list-levels.test.ts';
test('diff', { timeout: 600000 }, () => {
  const counts = new Map<string, number>();
  const least = new Map<string, string>();
  let open = 0;
  for (const history of fc.sample(randomLists(), { seed: 5, numRuns: Number(process.env['N'] ?? 12000) })) {
    const met = bruteForceLists(history);
    if (met === undefined) { counts.set('skipped', (counts.get('skipped') ?? 0) + 1); continue; }
    const judged = assessForeign({ kind: 'list', history }, { levels: BRUTE_LEVELS });
    if (judged.kind !== 'list') throw new Error();
    let any = false;
    counts.set('size ' + met.size, (counts.get('size ' + met.size) ?? 0) + 1);
    for (const { level, answer, code } of judged.verdict.levels) {
      const said = code === 'nothing' ? true : answer;
      if (said === met.has(level as never)) continue;
      any = true;
      const k = `${level} said ${said}`;
      counts.set(k, (counts.get(k) ?? 0) + 1);
      const text = shownLists(history);
      if (text.length < (least.get(k)?.length ?? 1e9)) least.set(k, text);
    }
    if (any) open++;
  }
  console.log('histories', open, counts);
  for (const [k, v] of least) console.log(k + '\n' + v);
});
