/** What a finding's picture is made from; one that is a line of the report has no statements. */
import type { AnomalyFinding } from '../../core/index.ts';

export type Drawn = Pick<AnomalyFinding, 'anomaly' | 'transactions' | 'statements' | 'rows' | 'certificate' | 'reproduction'>;
