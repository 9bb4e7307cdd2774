/**
 * Takes runs and keeps them until it ends. `take ADDRESS RUN...` takes them now; `race ADDRESS MS RUN...`
 * takes one each 600 ms from a moment on, and checks them until then. Prints the runs that it got.
 */
import type { Owned } from '../../../activities/storage/catalog/run-catalog.ts';
import { openCatalog } from './catalog-address.ts';

const [how = '', address = '', ...rest] = process.argv.slice(2);
const [startMs, ids] = how === 'race' ? [Number(rest[0]), rest.slice(1)] : [0, rest];
const catalog = openCatalog(address);
const taken: { readonly id: string; readonly owned: Owned | null }[] = [];
for (const [index, id] of ids.entries()) {
  const ownership = catalog.ownership(id);
  while (Date.now() < startMs + 600 * index) await ownership.isOwned();
  taken.push({ id, owned: await ownership.take() });
}
process.stdout.write(`${JSON.stringify(taken.filter(({ owned }) => owned !== null).map(({ id }) => id))}\n`);
setInterval(() => taken, 1_000);
