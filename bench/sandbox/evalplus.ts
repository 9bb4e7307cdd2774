/** EvalPlus in a virtual environment of its own, running in one process that is asked again and again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { installPeer, startPeer } from './peer.ts';

export type EvalPlusDataset = 'humaneval' | 'mbpp';

export interface PeerRequest {
  readonly dataset: EvalPlusDataset;
  readonly tasks: readonly string[];
  /** Times that each task's program is judged. */
  readonly copies: number;
  readonly workers: number;
  readonly baseOnly: boolean;
}

/** `pass`, `fail` or `timeout`, and how many cases were run, the first that failed included. */
type PeerVerdict = readonly [base: string, baseCases: number, plus: string, plusCases: number];

export interface ToJudge {
  readonly dataset: EvalPlusDataset;
  readonly task: string;
  readonly source: string;
}

export interface Peer {
  measure(request: PeerRequest): Promise<{ readonly seconds: number; readonly passed: number }>;
  /** @param minSeconds wall time that each case may take at least (EvalPlus's own is 1) */
  judge(programs: readonly ToJudge[], workers: number, minSeconds: number): Promise<readonly PeerVerdict[]>;
  close(): void;
}

/** Paths of the data as EvalPlus publishes it, compressed. */
export type PeerData = Readonly<Partial<Record<EvalPlusDataset, string>>>;

const version = '0.3.1';
const variables = { humaneval: 'HUMANEVAL_OVERRIDE_PATH', mbpp: 'MBPP_OVERRIDE_PATH' } as const;

/** The first start installs it, and the first question about a dataset computes its expected outputs; both take minutes. */
export async function startEvalPlus(folder: string, data: PeerData, print: (line: string) => void): Promise<Peer> {
  const home = installPeer(folder, 'evalplus', version, print);
  const paths = Object.entries(data).map(([name, file]) => {
    const path = join(home, `${name}.jsonl`);
    writeFileSync(path, gunzipSync(readFileSync(file)));
    return [variables[name as EvalPlusDataset], path];
  });
  const peer = await startPeer(home, fileURLToPath(new URL('evalplus_driver.py', import.meta.url)), {
    ...Object.fromEntries(paths),
    XDG_CACHE_HOME: home,
  });
  return {
    measure: async ({ dataset, ...request }) => (await peer.ask({ measure: dataset, ...request })) as { seconds: number; passed: number },
    judge: async (programs, workers, minSeconds) => {
      const judged = programs.map(({ dataset, task, source }) => [dataset, task, source]);
      return ((await peer.ask({ judge: judged, workers, minSeconds })) as { verdicts: readonly PeerVerdict[] }).verdicts;
    },
    close: peer.close,
  };
}
