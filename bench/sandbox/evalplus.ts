/** EvalPlus in its own virtual environment, as one long-running process. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sha256 } from '../../domain/ids.ts';
import { installPeer, type PeerProcess, startPeer } from './peer.ts';

export type EvalPlusDataset = 'humaneval' | 'mbpp';

export interface PeerRequest {
  readonly dataset: EvalPlusDataset;
  readonly tasks: readonly string[];
  /** How often each task's program is judged. */
  readonly copies: number;
  readonly workers: number;
  readonly baseOnly: boolean;
}

/** `pass`, `fail` or `timeout`, and the number of cases run, including the first that failed. */
type PeerVerdict = readonly [base: string, baseCases: number, plus: string, plusCases: number];

export interface ToJudge {
  readonly task: string;
  readonly source: string;
}

export interface Peer {
  measure(request: PeerRequest): Promise<{ readonly seconds: number; readonly passed: number }>;
  /**
   * Verdicts are stored: a program is judged once for the same data and `minSeconds`, so that an interrupted check
   * can continue.
   * @param minSeconds least wall time limit of a case (1 in EvalPlus itself)
   */
  judge(programs: readonly ToJudge[], workers: number, minSeconds: number): Promise<readonly PeerVerdict[]>;
  close(): void;
}

const version = '0.3.1';
const variables = { humaneval: 'HUMANEVAL_OVERRIDE_PATH', mbpp: 'MBPP_OVERRIDE_PATH' } as const;
const programsAtOnce = 50;

/**
 * @param file the dataset as EvalPlus publishes it, compressed
 *
 * The first start installs EvalPlus, and the first question computes the expected outputs; both take minutes.
 */
export async function startEvalPlus(
  folder: string,
  dataset: EvalPlusDataset,
  file: string,
  print: (line: string) => void,
): Promise<Peer> {
  const home = installPeer(folder, 'evalplus', version, print);
  const path = join(home, `${dataset}.jsonl`);
  const data = gunzipSync(readFileSync(file));
  writeFileSync(path, data);
  const driver = fileURLToPath(new URL('evalplus_driver.py', import.meta.url));
  // Without this, the order of sets changes with each start, and with it some programs' verdicts.
  const peer = await startPeer(home, driver, { [variables[dataset]]: path, XDG_CACHE_HOME: home, PYTHONHASHSEED: '0' });
  const known = readVerdicts(join(home, `verdicts-${sha256(data).slice(0, 16)}.jsonl`));
  return {
    measure: async ({ dataset: measured, ...request }) =>
      (await peer.ask({ measure: measured, ...request })) as { seconds: number; passed: number },
    judge: async (programs, workers, minSeconds) => {
      const keys = programs.map(({ task, source }) => sha256([task, String(minSeconds), source].join('\0')));
      // Ordered by task, since each part loads the data of its tasks.
      const open = programs
        .flatMap((program, index) => (known.get(keys[index] as string) === undefined ? [{ program, index }] : []))
        .sort((a, b) => a.program.task.localeCompare(b.program.task));
      print(
        `EvalPlus ${version} judges ${open.length} of ${programs.length} programs of ${dataset}; ` +
          'the others are already judged',
      );
      for (let at = 0; at < open.length; at += programsAtOnce) {
        const part = open.slice(at, at + programsAtOnce);
        const verdicts = await ask(peer, {
          dataset,
          programs: part.map(({ program }) => program),
          workers,
          minSeconds,
        });
        for (const [place, { index }] of part.entries())
          known.add(keys[index] as string, verdicts[place] as PeerVerdict);
      }
      return keys.map((key) => known.get(key) as PeerVerdict);
    },
    close: peer.close,
  };
}

interface JudgeRequest {
  readonly dataset: EvalPlusDataset;
  readonly programs: readonly ToJudge[];
  readonly workers: number;
  readonly minSeconds: number;
}

async function ask(
  peer: PeerProcess,
  { dataset, programs, workers, minSeconds }: JudgeRequest,
): Promise<readonly PeerVerdict[]> {
  const asked = programs.map(({ task, source }) => [task, source]);
  return (
    (await peer.ask({ judge: dataset, programs: asked, workers, minSeconds })) as { verdicts: readonly PeerVerdict[] }
  ).verdicts;
}

interface Verdicts {
  get(key: string): PeerVerdict | undefined;
  add(key: string, verdict: PeerVerdict): void;
}

function readVerdicts(path: string): Verdicts {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const verdicts = new Map(lines.map((line) => JSON.parse(line) as [string, PeerVerdict]));
  return {
    get: (key) => verdicts.get(key),
    add: (key, verdict) => {
      verdicts.set(key, verdict);
      appendFileSync(path, `${JSON.stringify([key, verdict])}\n`);
    },
  };
}
