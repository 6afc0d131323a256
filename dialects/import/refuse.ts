/**
 * Refusals inside an importer. `refuse` throws one, and importer.ts turns it into data again. The reason is one
 * sentence that says what the importer met and what it expected.
 */

import type { Missing } from '../../core/dialect/index.ts';

/** Names that the tool adds to schemas, statements and results. A user's own `iso_code` or `iso_3166` is none of them. */
const RESERVED = /^iso_(?:rid|rid_\d+|w|reads|n|s|u|h|q|r|g|e|c\d*|o\d+|own|entry|made|pad_\d+|off|condition|followed_\w+)$/i;

export function isReserved(name: string): boolean {
  return RESERVED.test(name);
}

export class Refused extends Error {
  override readonly name = 'Refused';
  /** The position in the statement's text, in bytes, once it is known. */
  place: number | undefined;
  readonly missing: Missing | undefined;

  constructor(reason: string, missing?: Missing) {
    super(reason);
    this.missing = missing;
  }
}

/** `missing`: what is not there, if that is the reason. */
export function refuse(reason: string, missing?: Missing): never {
  throw new Refused(reason, missing);
}

export function refuseTable(name: string, rest: string): never {
  refuse(`there is no table ${name}${rest}`, { code: 'no-table', name });
}

export function refuseReserved(name: string, what: string): void {
  if (isReserved(name)) refuse(`the ${what} ${name} has a name that the tool itself adds: give it another`);
}
