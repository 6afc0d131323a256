/** Those that there are, with blanks between them. */
export function clauses(parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join(' ');
}
