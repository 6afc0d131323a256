/** The words of --format: every format of other programs, and those that can be written. */
import { FORMATS } from '../../../check/index.ts';

export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);
export const WRITABLE_FORMATS: readonly string[] = FORMATS.flatMap((format) => ('write' in format ? [format.name] : []));
