/**
 * Derives the transactions of one run of a .spec from the protocol's status: each session's steps, cut where it was
 * outside a transaction. If a step hides the border between two transactions, the run is not compared.
 */
import type { HiddenBorder, NotCompared } from '../../../core/verdict/index.ts';
import { piecesOf } from '../../../schema-gen/index.ts';
import type { SpecRun, StepRun } from './spec-runner.ts';

export interface SpecTransaction {
  readonly session: number;
  readonly steps: readonly StepRun[];
  /** The session's setup has opened it. */
  readonly opened: boolean;
  readonly committed: boolean;
}

const ROLLBACK = /^(rollback|abort)\b(?!.*\bto\b)/is;
const ENDS = /^(commit|end|rollback|abort)\b(?!.*\bto\b)/is;
const BEGINS = /^(begin|start\s+transaction)\b/i;

/** Returns the reason if the transactions cannot be told apart. */
export function transactionsOfRun({ steps, setups }: SpecRun): readonly SpecTransaction[] | NotCompared {
  const transactions: SpecTransaction[] = [];
  for (const session of setups.keys()) {
    const own = steps.filter(({ item }) => item.session === session);
    const cut = cutSession(session, own, setups[session]);
    if ('code' in cut) return cut;
    transactions.push(...cut);
  }
  return transactions;
}

function cutSession(session: number, own: readonly StepRun[], setup: StepRun['status']): readonly SpecTransaction[] | NotCompared {
  if (own.some(({ status }) => status === undefined)) return { code: 'no-status' };
  const transactions: SpecTransaction[] = [];
  let open: StepRun[] = [];
  let opened = setup === 'inside';
  let before: StepRun['status'] = setup ?? 'outside';
  for (const step of own) {
    const border = hiddenBorder(step.item.sql, before);
    if (border !== undefined) return { code: 'hidden-border', step: step.item.name, border };
    open.push(step);
    if (step.status === 'outside') {
      transactions.push({ session, steps: open, opened, committed: isCommitted(step, before) });
      open = [];
      opened = false;
    }
    before = step.status;
  }
  // A transaction that is open at the end is never committed.
  if (open.length > 0) transactions.push({ session, steps: open, opened, committed: false });
  return transactions;
}

function isCommitted({ item, reply }: StepRun, before: StepRun['status']): boolean {
  return reply.error === undefined && before !== 'failed' && !ROLLBACK.test(partsOf(item.sql).at(-1) ?? '');
}

function hiddenBorder(sql: string, before: StepRun['status']): HiddenBorder | undefined {
  const parts = partsOf(sql);
  if (parts.slice(0, -1).some((part) => ENDS.test(part))) return 'ends and goes on';
  if (parts.some((part, i) => BEGINS.test(part) && (i > 0 || before === 'inside'))) return 'begins within';
  if (parts.length > 1 && before === 'outside' && !BEGINS.test(parts[0]!)) return 'several outside';
  return undefined;
}

export function partsOf(sql: string): readonly string[] {
  return piecesOf(sql).pieces.map(({ text }) => text);
}
