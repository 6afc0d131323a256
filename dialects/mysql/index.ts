export { mysql } from './dialect.ts';
