/** Which program owned a run when a call was made: every owner leaves its version in the ledger. */
import type { Ledger } from '../storage/ledger/ledger.ts';
import { programIdentity } from './version.ts';

const factName = (epoch: number): string => `program/${epoch}`;

export const noteProgram = (ledger: Pick<Ledger, 'saveFact'>, epoch: number): Promise<string> =>
  ledger.saveFact(factName(epoch), JSON.stringify(programIdentity()));

/** By epoch; null if an older program owned the run. */
export async function askingPrograms(
  ledger: Pick<Ledger, 'factsNamed'>,
  epochs: Iterable<number>,
): Promise<ReadonlyMap<number, string | null>> {
  const distinct = [...new Set(epochs)];
  const facts = await ledger.factsNamed(distinct.map(factName));
  return new Map(
    distinct.map((epoch) => {
      const fact = facts.get(factName(epoch));
      return [epoch, fact === undefined ? null : (JSON.parse(fact) as string)];
    }),
  );
}
