/** The lint rules of the house. */
import { noDialectName } from './no-dialect-name.mjs';
import { noProseNote } from './no-prose-note.mjs';

export default { meta: { name: 'house' }, rules: { 'no-dialect-name': noDialectName, 'no-prose-note': noProseNote } };
