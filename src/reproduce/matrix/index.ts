export { runMatrix } from './matrix.ts';
