/**
 * Writes plume text of mini-transactions to stdout, however many, in constant memory (bench/kv-file.ts says how they run);
 * with `skew` the last two are a write skew.
 *     node dist/bench/kv-pipe.js TRANSACTIONS [skew]
 */
import { MINI } from './cases.ts';
import { writeKv } from './kv-file.ts';

const [, , transactions = '1000000', skew] = process.argv;
writeKv(process.stdout.fd, { ...MINI, transactions: Number(transactions), skew: skew === 'skew' });
