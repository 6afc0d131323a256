/** Prints the sum of balances of a bank history, in words and as JSON: the reads, and the evidence of a wrong sum. */
import type { NegativeRead, SumRead, SumVerdict } from '../../../check/index.ts';

const RESTS_ON =
  'This rests on the log: each read is one transaction that reads every account, each transfer one that adds to one account what it takes from another.';
const FOLLOWS =
  'If so, no snapshots explain the reads: snapshot-isolation, serializable and strict-serializable are violated. The log does not show by which anomaly.';
const PROVES_NOTHING = 'A kept sum proves no isolation level.';
const UNSAID = 'The log does not say the total (--total N does).';

export function sumLines(verdict: SumVerdict): readonly string[] {
  return [`sum of balances  ${answerText(verdict)}`, ...reasons(verdict).map((line) => `  ${line}`), ...negativeLines(verdict)];
}

function answerText({ answer, reason, reads, total, first, breaks, wrong }: SumVerdict): string {
  if (answer === 'unknown') return `unknown: ${reason ?? 'no reason given'}`;
  if (breaks === undefined) return `kept: ${first?.sum} in each of ${reads} reads`;
  const said = `BROKEN: ${readText(breaks)} sums to ${breaks.sum}`;
  if (total !== undefined) return `${said}, expected ${total} (--total); ${wrong} of ${reads} reads have another sum`;
  return `${said}, ${first === undefined ? 'another read' : readText(first)} to ${first?.sum}`;
}

function reasons(verdict: SumVerdict): readonly string[] {
  const { answer, total } = verdict;
  const unsaid = total === undefined ? [UNSAID] : [];
  if (answer === 'unknown') return unsaid;
  return answer
    ? [...unsaid, PROVES_NOTHING]
    : [
        ...unsaid,
        ...otherAccounts(verdict),
        RESTS_ON,
        ...(total === undefined ? [] : [`It rests on --total too: the accounts began with ${total}.`]),
        FOLLOWS,
      ];
}

/** The log itself shows that the reads do not cover the same accounts. */
function otherAccounts({ first, breaks }: SumVerdict): readonly string[] {
  if (first === undefined || breaks === undefined || first.accounts === breaks.accounts) return [];
  return [`It shows ${breaks.accounts} accounts, ${readText(first)} ${first.accounts}: the sum of other accounts may be another.`];
}

function negativeLines({ negative }: SumVerdict): readonly string[] {
  if (negative === undefined) return [];
  const { account, balance, reads } = negative;
  return [
    `negative balance  ${readText(negative)} shows account ${account} at ${balance}; ${reads} such ${reads === 1 ? 'read' : 'reads'}`,
    '  The bank of the test says whether an account may be overdrawn.',
  ];
}

function readText({ line, operation }: Pick<SumRead | NegativeRead, 'line' | 'operation'>): string {
  return `line ${line} (operation ${operation})`;
}

/** Sums are numbers if JSON keeps them exact, otherwise texts. */
export function sumJson(verdict: SumVerdict): object {
  return JSON.parse(
    JSON.stringify(verdict, (_, value: unknown) =>
      typeof value !== 'bigint' ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
    ),
  ) as object;
}
