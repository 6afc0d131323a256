/** Splits a statement for a program that reads by itself: the text around the names, which get their values when it runs. */
import { mapStatement, namesNeeded } from '../../core/index.ts';
import type { PlainStep, Statement, BoundName } from '../../core/index.ts';

/** A mark that does not stand behind a colon in a user's file by chance. */
const MARK = 'anomalist_told_';
const MARKED = /:anomalist_told_(\d+)_/;

export function statementParts(
  planned: Statement | undefined,
  print: (statement: Statement) => string,
): Pick<PlainStep, 'parts' | 'into' | 'counted'> {
  if (planned === undefined) return {};
  const { into, counted } = planned;
  return {
    ...(into !== undefined && { into }),
    ...(counted !== undefined && { counted }),
    ...(namesNeeded(planned).length > 0 && { parts: partsOf(planned, print) }),
  };
}

function partsOf(planned: Statement, print: (statement: Statement) => string): readonly (string | BoundName)[] {
  const names: BoundName[] = [];
  const marked = mapStatement(planned, {
    expression: (each) => {
      if (each.kind !== 'parameter') return each;
      names.push({ name: each.name, type: each.type });
      return { ...each, name: `${MARK}${names.length - 1}_` };
    },
  });
  // Every other part is the number of a name.
  return print(marked)
    .split(MARKED)
    .map((part, i) => (i % 2 === 0 ? part : names[Number(part)]!));
}
