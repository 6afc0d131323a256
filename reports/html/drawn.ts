/** What a finding's picture is made from; one that is a line of the report has no statements. */
import type { Finding } from '../../core/index.ts';

export type Drawn = Pick<Finding, 'anomaly' | 'transactions' | 'statements' | 'rows' | 'certificate' | 'reproduction'>;
