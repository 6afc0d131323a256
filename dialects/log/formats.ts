/** The log formats that can be read. A file is compared with them in this order. */
import type { LogFormat } from '../../core/dialect/index.ts';
import { GENERAL_LOG } from '../mysql-family/log/general-log.ts';
import { POSTGRES_LOGS } from '../postgres/log/formats.ts';
import { sqlFile } from './sql-file.ts';

/** A file may be in either SQL. Backticks show that it is MySQL's. */
const SQL_FILES: readonly LogFormat[] = [
  sqlFile({ words: POSTGRES_LOGS[0]!.words, dialect: POSTGRES_LOGS[0]!.dialect, relatives: [] }, (text) => !text.includes('`')),
  sqlFile({ words: GENERAL_LOG.words, dialect: GENERAL_LOG.dialect, relatives: GENERAL_LOG.relatives }, () => true),
];

export const LOG_FORMATS: readonly LogFormat[] = [GENERAL_LOG, ...POSTGRES_LOGS, ...SQL_FILES];
