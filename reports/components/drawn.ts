/** Has the parts of a finding that its picture needs. A finding that is only a line of the report has no statements. */
import type { AnomalyFinding } from '../../core/verdict/index.ts';

export type Drawn = Pick<AnomalyFinding, 'anomaly' | 'transactions' | 'statements' | 'rows' | 'certificate' | 'reproduction'>;
