/** What of a file was derived again. `holds` is null where there is nothing to derive it from. */
export interface VerifiedPart {
  readonly what: string;
  readonly holds: boolean | null;
  readonly lines: readonly string[];
}
