/** Reads every stored reply of a run through its ledger, which refuses one whose bytes are not those of its SHA-256. */
import { ServerError } from '../../../domain/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface RepliesRead {
  /** Different ones: pages may share a reply, as two models' pages share that of a judge or labeller. */
  readonly count: number;
  readonly problems: readonly string[];
}

/** @param pages of the plan */
export async function readReplies(ledger: Pick<Ledger, 'samples'>, pages: readonly string[]): Promise<RepliesRead> {
  const problems: string[] = [];
  const calls = new Set<string>();
  for (const page of pages)
    try {
      for (const { callKey } of await ledger.samples(page)) calls.add(callKey);
    } catch (error) {
      if (error instanceof ServerError) throw error;
      problems.push(`page ${page}: ${error instanceof Error ? error.message : String(error)}`);
    }
  return { count: calls.size, problems };
}
