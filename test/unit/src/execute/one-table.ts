/** A schema of one table `t` with the key column `k`, for sessions without a server. */
import type { Schema } from '../../../../core/sql/index.ts';
import { schemaOf } from '../../../sql.ts';

export const ONE_TABLE: Schema = schemaOf('CREATE TABLE t (k int PRIMARY KEY)');
