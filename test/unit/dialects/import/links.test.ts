/** Whether one table leads to another along foreign keys. */
import { expect, it } from 'vitest';
import { Links } from '../../../../dialects/import/links.ts';
import { createRandom } from '../../../../schema-gen/index.ts';

it('agrees with a closure of the links, on small sets of them', () => {
  const random = createRandom('links of tables');
  for (let n = 0; n < 2_000; n++) {
    const size = random.int(1, 7);
    const links = new Links<number>();
    const leads = Array.from({ length: size }, (_, from) => Array.from({ length: size }, (_each, to) => from === to));
    for (let link = random.int(0, 10); link > 0; link--) {
      const [from, to] = [random.int(0, size - 1), random.int(0, size - 1)];
      links.add(from, to);
      leads[from]![to] = true;
    }
    for (let by = 0; by < size; by++)
      for (let from = 0; from < size; from++)
        for (let to = 0; to < size; to++) if (leads[from]![by]! && leads[by]![to]!) leads[from]![to] = true;
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) expect(links.lead(from, to), `${n}: ${from} to ${to}`).toBe(leads[from]![to]);
  }
});
