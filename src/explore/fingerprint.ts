/**
 * The fingerprint of a family: the oracle, the kind of difference, and what its programs have in common, which is a case of
 * corpus/explored where it is known, else the family's name. It depends on no seed, no value and no example.
 *
 *     explored|serial orders|skew|write skew, point
 *     explored|serial orders|skew|corpus/explored/upsert-of-nothing.spec
 *     transactions|serial orders|no snapshot|book + cancel
 */
import type { ExploreOracle, Program } from '../../core/index.ts';

/** Of what the tool draws, and of a user's own transactions. */
const GENERATED = 'explored';
const OWN = 'transactions';

interface FamilyWords {
  readonly oracle: ExploreOracle;
  /** The oracle's finding: a difference, a class, a single-run violation. */
  readonly kind: string;
  /** The name that its programs share. */
  readonly name: string;
}

export function familyFingerprint({ made }: Pick<Program, 'made'>, { oracle, kind, name }: FamilyWords): string {
  return [made['transactions'] === undefined ? GENERATED : OWN, oracle, kind, name].map(escaped).join('|');
}

/** What the documents allow differs from seed to seed in its name alone; which of a user's transactions show it is all that counts. */
export function kindOfFamily(fingerprint: string): string {
  return fingerprint.startsWith(`${OWN}|`) ? fingerprint : fingerprint.slice(0, fingerprint.lastIndexOf('|'));
}

/** In a list of fingerprints a line is one, `#` begins a comment, and blanks at its ends are none of it. */
function escaped(word: string): string {
  return word.replaceAll(/[%|#\r\n]|^\s|\s$/g, (each) => `%${each.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`);
}
