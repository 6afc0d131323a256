/** Reads the claim of a report of `anomalist check --json` from a file that any user may have edited. Every field is checked before use. */
import type { KvCase, KvCaseEdge } from '../../../../core/index.ts';
import { Malformed, integer, list, object, shown, text, truth } from '../fields.ts';

export interface Claim {
  readonly levels: readonly string[];
  readonly transactions: readonly number[];
  readonly refutation: { readonly level: string; readonly transactions: readonly number[]; readonly cases: KvCase };
}

/** A readable case distinction has a few levels. Deeper ones come from a file that was made to exhaust the program. */
const DEEPEST = 64;
const MOST_TRANSACTIONS = 100;

export function readClaim(anomaly: unknown): Claim {
  const { levels, transactions, refutation } = object(anomaly, 'the anomaly');
  const { level, transactions: about, cases } = object(refutation, 'its refutation');
  const named = list(about, 'the transactions of the refutation').map((t) => integer(t, 'a transaction of the refutation'));
  if (named.length > MOST_TRANSACTIONS)
    throw new Malformed(`the refutation is about ${named.length} transactions, at most ${MOST_TRANSACTIONS} are read`);
  return {
    levels: list(levels, 'the levels').map((each) => text(each, 'a level')),
    transactions: list(transactions, 'the transactions').map((t) => integer(t, 'a transaction')),
    refutation: { level: text(level, 'the level of the refutation'), transactions: named, cases: readCase(cases, '', 0) },
  };
}

/** `number`: the number of the case, as in a document: 1.2. */
function readCase(value: unknown, number: string, depth: number): KvCase {
  const where = number === '' ? 'the case distinction' : `case (${number.slice(0, -1)})`;
  if (depth > DEEPEST) throw new Malformed(`${where} is deeper than ${DEEPEST}`);
  const found = object(value, where);
  const ways = <T>(read: (way: Readonly<Record<string, unknown>>) => T): (T & { readonly follows: KvCase })[] =>
    list(found['ways'], `the ways of ${where}`).map((each, i) => {
      const way = object(each, `way ${i + 1} of ${where}`);
      return { ...read(way), follows: readCase(way['follows'], `${number}${i + 1}.`, depth + 1) };
    });
  const at = (way: Readonly<Record<string, unknown>>, name: string): number => integer(way[name], `${name} of ${where}`);
  switch (found['kind']) {
    case 'cycle':
      return {
        kind: 'cycle',
        edges: list(found['edges'], `the edges of ${where}`).map((edge, i) => readEdge(edge, `edge ${i + 1} of ${where}`)),
      };
    case 'order':
      return { kind: 'order', ways: ways((way) => ({ first: at(way, 'first'), second: at(way, 'second') })) };
    case 'writer':
      return { kind: 'writer', reader: at(found, 'reader'), read: at(found, 'read'), ways: ways((way) => ({ writer: at(way, 'writer') })) };
    case 'outcome':
      return {
        kind: 'outcome',
        txn: at(found, 'txn'),
        ways: ways(({ committed }) => ({ committed: truth(committed, `committed of ${where}`) })),
      };
    default:
      throw new Malformed(`${where} is of kind ${shown(found['kind'])}; expected cycle, order, writer or outcome`);
  }
}

const RELATIONS: readonly KvCaseEdge['rel'][] = ['so', 'wr', 'ww', 'rw', 'rt'];

function readEdge(value: unknown, where: string): KvCaseEdge {
  const { from, to, rel, read, reader } = object(value, where);
  const known = RELATIONS.find((each) => each === rel);
  if (known === undefined) throw new Malformed(`${where} is of relation ${shown(rel)}; expected one of ${RELATIONS.join(', ')}`);
  return {
    from: integer(from, `from of ${where}`),
    to: integer(to, `to of ${where}`),
    rel: known,
    ...(read !== undefined && { read: integer(read, `read of ${where}`) }),
    ...(reader !== undefined && { reader: integer(reader, `reader of ${where}`) }),
  };
}
