export { importer } from './importer.ts';
