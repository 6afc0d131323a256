/** Reads the claim of a report about a list history from a file that any user may have edited. */
import type { ListRefutationCase, ListRefutationEdge, ListRefutationRead } from '../../../../core/index.ts';
import { BAD_READS } from './bad-read.ts';
import { Malformed, integer, list, object, shown, text } from '../fields.ts';

export interface ListClaim {
  readonly levels: readonly string[];
  readonly transactions: readonly number[];
  readonly refutation: { readonly transactions: readonly number[]; readonly cases: ListRefutationCase };
}

/** A deeper file was made to exhaust the program. */
const DEEPEST = 64;

export function readListClaim(anomaly: unknown): ListClaim {
  const { levels, transactions, refutation } = object(anomaly, 'the anomaly');
  const { kind, transactions: about, cases } = object(refutation, 'its refutation');
  if (kind !== 'lists') throw new Malformed(`its refutation is of kind ${shown(kind)}; expected lists, since the history is one of lists`);
  const ids = (value: unknown, where: string): readonly number[] => list(value, `${where}s`).map((t) => integer(t, where));
  return {
    levels: list(levels, 'the levels').map((each) => text(each, 'a level')),
    transactions: ids(transactions, 'a transaction'),
    refutation: { transactions: ids(about, 'a transaction of the refutation'), cases: readCase(cases, '', 0) },
  };
}

/** `number`: the number of the case, as in a document: 1.2. */
function readCase(value: unknown, number: string, depth: number): ListRefutationCase {
  const where = number === '' ? 'the case distinction' : `case (${number.slice(0, -1)})`;
  if (depth > DEEPEST) throw new Malformed(`${where} is deeper than ${DEEPEST}`);
  const found = object(value, where);
  return READERS[oneOf(KINDS, found['kind'], `the kind of ${where}`)](found, where, number, depth);
}

type Fields = Readonly<Record<string, unknown>>;
type ReadCase = (found: Fields, where: string, number: string, depth: number) => ListRefutationCase;

const KINDS: readonly ListRefutationCase['kind'][] = ['cycle', 'order', 'read'];

const READERS: Readonly<Record<ListRefutationCase['kind'], ReadCase>> = {
  cycle: (found, where) => ({
    kind: 'cycle',
    edges: list(found['edges'], `the edges of ${where}`).map((edge, i) => readEdge(edge, `edge ${i + 1} of ${where}`)),
  }),
  order: (found, where, number, depth) => ({
    kind: 'order',
    key: text(found['key'], `the list of ${where}`),
    ways: list(found['ways'], `the ways of ${where}`).map((each, i) => {
      const way = object(each, `way ${i + 1} of ${where}`);
      return {
        first: integer(way['first'], `first of ${where}`),
        second: integer(way['second'], `second of ${where}`),
        follows: readCase(way['follows'], `${number}${i + 1}.`, depth + 1),
      };
    }),
  }),
  read: (found, where) => ({
    kind: 'read',
    class: oneOf(BAD_READS, found['class'], `the class of ${where}`),
    ...readPlace(found, where),
    ...(found['beside'] !== undefined && { beside: readPlace(object(found['beside'], `beside of ${where}`), `beside of ${where}`) }),
  }),
};

const RELATIONS: readonly ListRefutationEdge['rel'][] = ['so', 'wr', 'ww', 'rw', 'rt'];

function readPlace(found: Fields, where: string): ListRefutationRead {
  return { reader: integer(found['reader'], `reader of ${where}`), read: integer(found['read'], `read of ${where}`) };
}

function readEdge(value: unknown, where: string): ListRefutationEdge {
  const found = object(value, where);
  const { from, to, rel, key, reader } = found;
  return {
    from: integer(from, `from of ${where}`),
    to: integer(to, `to of ${where}`),
    rel: oneOf(RELATIONS, rel, `the relation of ${where}`),
    ...(key !== undefined && { key: text(key, `the list of ${where}`) }),
    ...(reader !== undefined && readPlace(found, where)),
  };
}

function oneOf<T extends string>(known: readonly T[], value: unknown, where: string): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw new Malformed(`${where} is ${shown(value)}; expected one of ${known.join(', ')}`);
  return found;
}
