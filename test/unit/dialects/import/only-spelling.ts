/**
 * A statement in the one spelling that survives printing: AND and OR flat to the left, as the parser gives them; text for
 * varchar, which a quoted string cannot tell; NOT EXISTS and NOT IN as one; UNION ALL of plain selects as a list of arms.
 */
type Part = Record<string, unknown>;

export function onlySpelling(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(onlySpelling);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).filter(([, value]) => value !== undefined);
  const spelled: Part = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, onlySpelling(value)]));
  return RULES[String(spelled['kind'])]?.(spelled) ?? spelled;
}

const RULES: Readonly<Record<string, (part: Part) => Part>> = {
  literal: (part) => (part['type'] === 'varchar' ? { ...part, type: 'text' } : part),
  logic: (part) => {
    const operands = part['operands'] as Part[];
    if (operands.length === 0) return { kind: 'literal', type: 'boolean', value: part['op'] === 'and' };
    return flat(part, (first) => first['kind'] === 'logic' && first['op'] === part['op']);
  },
  concat: (part) => flat(part, (first) => first['kind'] === 'concat'),
  not: (part) => {
    const operand = part['operand'] as Part;
    return (operand['kind'] === 'exists' || operand['kind'] === 'inQuery') && operand['negated'] === false
      ? { ...operand, negated: true }
      : part;
  },
  setOperation: (part) => {
    const [left, right] = [part['left'] as Part, part['right'] as Part];
    const plain = (side: Part): boolean =>
      side['kind'] === 'select' && ['with', 'orderBy', 'limit', 'lock'].every((key) => side[key] === undefined);
    if (part['op'] !== 'union' || part['all'] !== true || part['with'] !== undefined || !plain(right)) return part;
    if (left['kind'] === 'unionAll') return { arms: [...(left['arms'] as Part[]), right], kind: 'unionAll' };
    return plain(left) ? { arms: [left, right], kind: 'unionAll' } : part;
  },
};

function flat(part: Part, nested: (first: Part) => boolean): Part {
  const [first, ...rest] = part['operands'] as Part[];
  return first !== undefined && nested(first) ? { ...part, operands: [...(first['operands'] as Part[]), ...rest] } : part;
}
