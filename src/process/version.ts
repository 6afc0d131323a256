/** The program's own version, for records and `--version`. */
import { PACKAGE } from './package-folder.ts';

export const VERSION: string = PACKAGE?.file.version ?? '0.0.0';
