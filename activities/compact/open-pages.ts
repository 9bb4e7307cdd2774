/** Takes merged parts apart whose pages are asked more: rows of an open page are replaced, and those of others stay. */
import { setImmediate as turn } from 'node:timers/promises';
import { pagePartStem } from '../../domain/part-paths.ts';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { splitFile } from '../storage/parts/merge-files.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import { clearSpent, exchange } from './exchange.ts';
import { bytesIn, partFile } from './part-bytes.ts';
import { numberOf } from './stage-merged.ts';

/** Idempotent. Call before pages are sealed, when all parts are in place. Throws `FencedError` for an old epoch. */
export async function takeOpenPagesApart(run: Run, epoch: number): Promise<void> {
  const merged = (await run.ledger.parts()).filter(({ pages }) => pages !== undefined);
  const pagesOf = ({ pages = {} }: PartRecord): string[] => Object.keys(pages);
  const states = await run.ledger.pageStates(new Set(merged.flatMap(pagesOf)));
  for (const part of merged) {
    if (pagesOf(part).every((page) => states.get(page) === 'sealed')) continue;
    await exchange(run, epoch, [part], await singleParts(run, part));
    await turn();
  }
  await clearSpent(run);
}

async function singleParts(run: Run, part: PartRecord): Promise<StagedPart[]> {
  const { table, schemaVersion, revision, pages = {} } = part;
  const files = splitFile({ name: table, schemaVersion }, bytesIn(await partFile(run, part)), Object.values(pages));
  return Object.entries(pages).map(([name, rows], place) => {
    const { page, study, model } = run.page(name);
    const stem = pagePartStem(table, study.name, model, numberOf(page));
    return run.home.parts.stage(stem, { table, page, schemaVersion, revision }, rows, files[place] as Uint8Array);
  });
}
