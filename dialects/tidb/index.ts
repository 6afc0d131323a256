export { tidb } from './dialect.ts';
