import type { ListHistory } from '../../../../check/index.ts';

/** A list history, a transaction a line. */
export function shownLists({ transactions }: ListHistory): string {
  return transactions
    .map(({ session, outcome, beginAt, endAt, ops }, t) => {
      const said = ops.map((op) =>
        op.kind === 'append' ? `append ${op.key} ${op.element}` : `r${op.key} [${op.elements?.join(' ') ?? '?'}]`,
      );
      return `T${t + 1} (session ${session}, ${outcome}, ${beginAt} to ${endAt}): ${said.join(', ')}`;
    })
    .join('\n');
}
