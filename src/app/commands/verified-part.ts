/** The part of a file that was derived again. `holds` is null if there is nothing to derive it from. */
export interface VerifiedPart {
  readonly what: string;
  readonly holds: boolean | null;
  readonly lines: readonly string[];
}
