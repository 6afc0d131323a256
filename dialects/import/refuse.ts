/**
 * How a refusal travels from the depth of a statement to the importer's answer, where it becomes data again
 * (importer.ts): the reason says in one sentence what was met and what is expected instead.
 */

/** Names that the tool adds to schemas and results begin with it. */
const RESERVED = /^iso_/i;

export class Refused extends Error {
  override readonly name = 'Refused';
  /** Where in the statement's text it is, in bytes, once somebody knows. */
  place: number | undefined;
}

export function refuse(reason: string): never {
  throw new Refused(reason);
}

export function refuseReserved(name: string, what: string): void {
  if (RESERVED.test(name)) refuse(`the ${what} ${name} begins with iso_, as what the tool itself adds does: give it another name`);
}
