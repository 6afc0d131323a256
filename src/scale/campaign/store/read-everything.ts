/**
 * Reads all findings of a store, of rounds and of explorations. Each campaign has one numbering, and an export's files have the
 * same numbers. The worst finding is number 1, whether a round or an exploration found it.
 */
import { byWorst } from '../../../../reports/index.ts';
import type { Placed } from '../../../../reports/index.ts';
import type { Sql } from './connection.ts';
import { storedExplored } from './read-explored.ts';
import type { StoredExplored } from './read-explored.ts';
import { storedFindings } from './read-findings.ts';
import type { StoredFinding } from './read-findings.ts';

export type AnyStored = StoredFinding | StoredExplored;

export function isExplored(stored: AnyStored): stored is StoredExplored {
  return 'family' in stored;
}

/** True if the finding has a file. Some findings of rounds that the documents allow are kept only as a line. */
export function hasFile(stored: AnyStored): boolean {
  return isExplored(stored) || stored.whole;
}

/** Returns the findings of all campaigns, or of one, in the order of their numbers. */
export async function storedEverything(sql: Sql, campaign?: string): Promise<readonly AnyStored[]> {
  const all = [...(await storedFindings(sql, campaign)), ...(await storedExplored(sql, campaign))];
  const campaigns = [...new Set(all.map((each) => each.campaign))].toSorted();
  return campaigns.flatMap((name) =>
    all
      .filter((each) => each.campaign === name)
      .toSorted(byNumber)
      .map((each, i) => ({ ...each, n: i + 1 })),
  );
}

/** Findings with a file come first. Among these the order is that of a report, and of equals the shortest comes first. */
function byNumber(a: AnyStored, b: AnyStored): number {
  return Number(hasFile(b)) - Number(hasFile(a)) || byWorst(placeOf(a), placeOf(b)) || sizeOf(a) - sizeOf(b);
}

function placeOf(stored: AnyStored): Placed {
  if (isExplored(stored)) return { ...stored.finding, isReplayed: stored.family.example.plain !== undefined };
  return { judgement: { verdict: stored.verdict }, isReplayed: stored.statements !== null };
}

function sizeOf({ statements }: AnyStored): number {
  return statements ?? Infinity;
}
