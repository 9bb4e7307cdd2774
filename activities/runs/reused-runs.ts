/** Other runs whose answers a run takes over instead of asking again. */
import { CorruptionError, type InputError } from '../../domain/errors.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Spec } from '../../schemas/spec.ts';
import { faultOf, type SpecFile } from './plan-inputs.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import { storeName } from '../storage/opened-store.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';

/** A reply of another run. */
export interface ReusedReply {
  readonly reply: ChatReply;
  /** The run that asked for it. */
  readonly origin: string;
}

export interface ReusedRuns {
  /** False if the spec names no run. */
  readonly any: boolean;
  /** The reply of the first of the runs that has one to this call. */
  find(callKey: string): Promise<ReusedReply | undefined>;
  close(): void;
}

export function openReusedRuns(runsDir: string, { reuse }: Pick<Spec, 'reuse'>): ReusedRuns {
  const catalog = runCatalog(runsDir);
  const readers = reuse.map((run) => ({ run, reader: catalog.home(run).openReplies() }));
  return {
    any: readers.length > 0,
    find: async (callKey) => {
      for (const { run, reader } of readers) {
        const stored = await reader.reply(callKey);
        if (stored !== undefined && isAnswer(stored.reply))
          return { reply: stored.reply, origin: stored.origin ?? run };
      }
      return undefined;
    },
    close: () => {
      for (const { reader } of readers) reader.close();
    },
  };
}

/** A rescored run has marks in place of answers that nobody asked for; how long a reply may be is a setting. */
const isAnswer = ({ notAsked, finishReason }: ChatReply): boolean =>
  notAsked !== true && finishReason !== 'reply_too_long';

/**
 * Rejects with InputError for a run that does not exist, is the run itself, is a rescored one, or has a damaged ledger:
 * its answers would be paid for again.
 * @param known runs that need not exist any more
 */
export async function checkReusedRuns(
  runsDir: string,
  runId: string,
  file: SpecFile,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  const catalog = runCatalog(runsDir);
  for (const [index, run] of file.spec.reuse.entries()) {
    const fault = (rule: string): InputError => faultOf(file, ['reuse', index], rule);
    if (run === runId) throw fault(`must name another run; "${run}" is this one`);
    const isThere = await catalog.has(run);
    if (isThere) await refuseUseless(catalog.home(run), run, fault);
    else if (!known.has(run))
      throw fault(`no run "${run}" in ${storeName(runsDir)}; answers can only be taken from a run in the same store`);
  }
}

async function refuseUseless(home: RunHome, run: string, fault: (rule: string) => InputError): Promise<void> {
  try {
    const manifest = await home.manifest();
    home.seals.refuseBroken(manifest);
    const { rescored } = manifest;
    if (rescored !== undefined)
      throw fault(
        `run "${run}" asked nothing: it judges answers of another run again; name ` +
          `"${(rescored.asked ?? rescored).run}", which asked, and rescore the new run too`,
      );
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error;
    throw fault(
      `run "${run}" is damaged, so that its answers would be paid for again: ${error.message}; or take it out of reuse`,
    );
  }
}

/** For messages: what a run has lost that its spec takes answers from. */
export async function lostReuseLines(runsDir: string, { reuse }: Pick<Spec, 'reuse'>): Promise<string[]> {
  const catalog = runCatalog(runsDir);
  const has = await Promise.all(reuse.map((run) => catalog.home(run).hasReplies()));
  return reuse
    .filter((_, index) => has[index] === false)
    .map(
      (run) =>
        `run "${run}", which answers may be taken from, is gone: those taken are kept, the others are asked for again`,
    );
}
