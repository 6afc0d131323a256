/** The messages for everything that the family has and the IR lacks. A test checks that each of them occurs. */
import { REFUSED as ATTRIBUTES } from './read-column.ts';
import { REFUSED as DEFINITIONS } from './read-definition.ts';
import { REFUSED_OPERATORS } from './read-expression.ts';
import { REFUSED_JOINS } from './read-from.ts';
import { REFUSED as STATEMENTS } from './read-statement.ts';
import { REFUSED_FUNCTIONS } from './refused-functions.ts';
import { REFUSED_SIGNS } from './tokens.ts';

export function rows(): readonly string[] {
  return [
    ...Object.entries(DEFINITIONS).map(([word, why]) => `CREATE ${word}: ${why}`),
    ...Object.entries(STATEMENTS).map(([word, why]) => `${word}: ${why}`),
    ...Object.entries(REFUSED_FUNCTIONS).map(([name, why]) => `${name}() ${why}`),
    ...Object.values(ATTRIBUTES),
    ...Object.values(REFUSED_OPERATORS),
    ...Object.values(REFUSED_JOINS),
    ...REFUSED_SIGNS.map(([, why]) => why),
  ];
}
