/** The formats of logs that are read, in the order in which a file is held against them. */
import type { LogFormat } from '../../core/index.ts';
import { GENERAL_LOG } from '../mysql-family/log/general-log.ts';
import { POSTGRES_LOGS } from '../postgres/log/formats.ts';

export const LOG_FORMATS: readonly LogFormat[] = [GENERAL_LOG, ...POSTGRES_LOGS];
