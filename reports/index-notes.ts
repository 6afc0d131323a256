/** The notes without the other reports, for commands that begin often and write no page. */
export { storedNotes } from './notes/stored.ts';
export { noteText, unexplainedWords } from './notes/words.ts';
