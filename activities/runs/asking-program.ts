/** Which program owned a run when a call was made: every owner leaves its version in the ledger. */
import type { Ledger } from '../storage/ledger/ledger.ts';
import { programIdentity } from './version.ts';

const factName = (epoch: number): string => `program/${epoch}`;

export const noteProgram = (ledger: Pick<Ledger, 'saveFact'>, epoch: number): Promise<string> =>
  ledger.saveFact(factName(epoch), JSON.stringify(programIdentity()));

/** Null if an older program owned the run. */
export function askingProgram(ledger: Pick<Ledger, 'fact'>, epoch: number): string | null {
  const fact = ledger.fact(factName(epoch));
  return fact === undefined ? null : (JSON.parse(fact) as string);
}
