/**
 * The fingerprint of a family: the oracle, the kind of difference, and the common name of its programs. The name is a
 * case of corpus/explored if it is known, otherwise the family's. The fingerprint does not depend on seeds, values and
 * examples.
 *
 *     explored|serial orders|skew|write skew, point
 *     explored|serial orders|skew|corpus/explored/upsert-of-nothing.spec
 *     transactions|serial orders|no snapshot|book + cancel
 */
import type { ExploreOracle, Program } from '../../core/index.ts';

/** The first words of fingerprints: programs that the tool draws, and a user's own transactions. */
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

/**
 * Returns the part of a fingerprint that decides. For generated programs, a documented finding changes its name from seed
 * to seed. For a user's transactions, the names are all that counts.
 */
export function kindOfFamily(fingerprint: string): string {
  return fingerprint.startsWith(`${OWN}|`) ? fingerprint : fingerprint.slice(0, fingerprint.lastIndexOf('|'));
}

/** Escapes a word for lists of fingerprints: each is one line, `#` begins a comment, and blanks at the ends of a line do not count. */
function escaped(word: string): string {
  return word.replaceAll(/[%|#\r\n]|^\s|\s$/g, (each) => `%${each.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`);
}
