/** What a report says of findings that it does not show whole. */
import { MOST_FINDINGS, MOST_OF_FAMILY } from '../judge/findings/findings.ts';

export function leftOut(dropped: number, lines: number): readonly string[] {
  return [
    ...(dropped > 0
      ? [
          `${dropped} further anomalies with new fingerprints were counted but not kept: of each verdict ${MOST_FINDINGS} findings are, beyond that ${MOST_OF_FAMILY} of each family`,
        ]
      : []),
    ...(lines > 0 ? [`${lines} findings that the documents allow are a line each: of each of their families one is kept whole`] : []),
  ];
}
