/** A schema of one table `t` with the key column `k`, for sessions without a server. */
import type { Schema } from '../../../../core/sql/index.ts';

export const ONE_TABLE: Schema = {
  tables: [
    {
      name: 't',
      columns: [{ name: 'k', type: { kind: 'integer' }, nullable: true }],
      primaryKey: ['k'],
      uniques: [],
      checks: [],
      foreignKeys: [],
      indexes: [],
      rows: [],
    },
  ],
};
