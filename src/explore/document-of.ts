import type { ExploreFamily, PromiseSource } from '../../core/index.ts';

/** Returns the document of a row of the promise tables, as a family keeps it. */
export function documentOf(row: PromiseSource | undefined): Pick<ExploreFamily, 'document'> {
  if (row === undefined) return {};
  const { source, date, version, holds } = row;
  return { document: { source, date, version, ...(holds !== undefined && { holds }) } };
}
