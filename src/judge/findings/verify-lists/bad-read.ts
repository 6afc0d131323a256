/** Checks reads that are wrong without a cycle, each from the history again. A text says why the read is not of its class. */
import type { ListRefutationCase, BadReadClass } from '../../../../core/index.ts';
import type { ListFacts, ReadList } from './list-facts.ts';

type BadRead = Extract<ListRefutationCase, { readonly kind: 'read' }>;
type Rule = (facts: ListFacts, list: ReadList, found: BadRead) => string | undefined;

export function whyNoBadRead(facts: ListFacts, found: BadRead): string | undefined {
  const list = facts.readAt(found.reader, found.read);
  return typeof list === 'string' ? list : RULES[found.class](facts, list, found);
}

const RULES: Readonly<Record<BadReadClass, Rule>> = {
  G1a: (facts, { key, elements }) =>
    elements.some((element) => facts.aborted(key, element) && facts.has(facts.appender(key, element) ?? 0))
      ? undefined
      : 'none of the transactions aborted whose appends it shows',
  G1b: (facts, { key, elements }, { reader }) => {
    const last = elements.at(-1);
    const writer = last === undefined ? undefined : facts.appender(key, last);
    if (last === undefined || writer === undefined || writer === reader) return 'its last element is of no other transaction';
    return (
      facts.takesNoPart(writer) ??
      (facts.appends(writer, key).at(-1) === last ? 'its last element is the last of its transaction' : undefined)
    );
  },
  internal: (facts, { key, elements }, { reader, read }) => {
    const own = (facts.txn(reader)?.ops ?? []).map((op) => (op.kind === 'append' && op.key === key ? op.element : undefined));
    const early = own.slice(read).some((element) => element !== undefined && elements.includes(element));
    const missing = own.slice(0, read).some((element) => element !== undefined && !elements.includes(element));
    return early || missing ? undefined : 'it shows all of its own appends before it, and none after it';
  },
  fork: (facts, { key, elements }, { beside }) => {
    const other = beside === undefined ? 'there is no second read' : facts.readAt(beside.reader, beside.read);
    if (typeof other === 'string') return other;
    if (other.key !== key) return `the second read is of list ${other.key}`;
    const [one, two] = [elements, other.elements].map((list) => list.filter((element) => !facts.aborted(key, element)));
    return one?.some((element, i) => two !== undefined && i < two.length && two[i] !== element)
      ? undefined
      : 'one list is the beginning of the other';
  },
  'duplicate-write': (_, { elements }) => (new Set(elements).size < elements.length ? undefined : 'no element stands there twice'),
  'thin-air': (facts, { key, elements }) =>
    elements.some((element, i) => facts.appender(key, element) === undefined || element === elements[i - 1])
      ? undefined
      : 'each of its elements was appended by somebody',
};

export const BAD_READS = Object.keys(RULES) as readonly BadReadClass[];
