/**
 * The catalogue's ways to read, each alone in every fixture where it can stand, and the changes that may alter its
 * answer there. No skeleton is filled, so the list is quick to make.
 */
import { UsageError } from '../../core/base/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import { formsAlone } from './alone.ts';
import type { FormAlone } from './alone.ts';
import { CATALOGUE_SETS } from './catalogue-sets.ts';
import { isNamed, onlyNamed } from './only.ts';
import { offeredBy } from './offer.ts';

export interface FixtureLooks {
  readonly fixture: Fixture;
  readonly looks: readonly FormAlone[];
  readonly changes: readonly FormAlone[];
}

interface LooksOptions {
  readonly capabilities: Capabilities;
  readonly canForceIndexes: boolean;
  /** Words that restrict fixtures and ways to read by their names. Every change stays, because the answers are to change. */
  readonly only?: readonly string[] | undefined;
}

/** The changes of a fixture have numbers of their own, so that they meet no row that a read inserts. */
const OWN_OF_CHANGES = 200;

/** `lacking`: forms and fixtures that the DBMS does not support. */
export function looksIn({ capabilities, canForceIndexes, only = [] }: LooksOptions): {
  readonly fixtures: readonly FixtureLooks[];
  readonly lacking: readonly string[];
} {
  const offer = offeredBy(CATALOGUE_SETS.transactions, capabilities, canForceIndexes);
  const named = [...offer.fixtures, ...offer.reads];
  const unknown = only.find((word) => !named.some((each) => isNamed(each, [word])));
  if (unknown !== undefined)
    throw new UsageError(
      `--only ${unknown}: no fixture and no way to read that the server supports has this word in its name; expected a word of a name in docs/EXPLORE.md.`,
    );
  const none = { reads: [], writes: [], changes: [] };
  const reads = onlyNamed(offer.reads, only);
  const { writes } = offer;
  const fixtures = onlyNamed(offer.fixtures, only).map(({ row }) => ({
    fixture: row.fixture,
    looks: [...formsAlone({ ...none, reads }, [row])],
    changes: [...formsAlone({ ...none, writes }, [row], OWN_OF_CHANGES)],
  }));
  return { fixtures: fixtures.filter(({ looks }) => looks.length > 0), lacking: offer.lacking };
}
