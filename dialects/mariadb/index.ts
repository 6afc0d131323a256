export { mariadb } from './dialect.ts';
