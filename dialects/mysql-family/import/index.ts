export { familyImporter } from './importer.ts';
export { lostWord } from './lost-words.ts';
export { tokensOf } from './tokens.ts';
