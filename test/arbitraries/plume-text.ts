/** Text in plume's format: `w(key,value,session,transaction)` lines, numbers of any width, ids that repeat or say aborted. */
import * as fc from 'fast-check';

export function plumeText(): fc.Arbitrary<string> {
  const number = fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 50 }).map(BigInt) },
    { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  );
  const op = fc.record({ kind: fc.constantFrom('r', 'w'), key: number, value: number, blank: fc.nat({ max: 49 }) });
  const txn = fc.record({
    session: fc.integer({ min: 1, max: 4 }),
    // mostly the next number, else one from before, or -1
    id: fc.nat({ max: 39 }),
    ops: fc.oneof(
      { weight: 19, arbitrary: fc.array(op, { minLength: 1, maxLength: 6, size: 'max' }) },
      { weight: 1, arbitrary: fc.array(op, { minLength: 60, maxLength: 60 }) },
    ),
  });
  return fc
    .record({ first: fc.nat({ max: 5 }), txns: fc.array(txn, { minLength: 1, maxLength: 40, size: 'max' }), ended: fc.nat({ max: 4 }) })
    .map(({ first, txns, ended }) => {
      const lines = txns.flatMap(({ session, id, ops }, i) => {
        const name = id === 39 ? -1 : id === 38 ? Math.floor((first + i) / 2) : first + i + 1;
        return ops.flatMap(({ kind, key, value, blank }) => [`${kind}(${key},${value},${session},${name})`, ...(blank === 49 ? [''] : [])]);
      });
      return lines.join('\n') + (ended < 4 ? '\n' : '');
    });
}
