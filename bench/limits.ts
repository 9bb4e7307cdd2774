/**
 * How much of an unstated limit is used, and how many calls are refused: with a real endpoint,
 * real processes and real minutes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../domain/counted.ts';
import { startLimitedEndpoint } from './limited-endpoint.ts';

export interface LimitsOptions {
  readonly perMinute: string;
  readonly seconds: string;
  readonly processes: string;
  readonly latency: string;
  readonly countsRefused: boolean;
  readonly stated: boolean;
}

export interface LimitsResult {
  readonly taken: number;
  readonly refused: number;
  /** Most requests in any 60 s, including refused ones. */
  readonly worstMinute: number;
}

const child = fileURLToPath(new URL('limits-process.ts', import.meta.url));

export async function limits(options: LimitsOptions, print: (line: string) => void): Promise<LimitsResult> {
  const [perMinute, seconds, processes] = [
    Number(options.perMinute),
    Number(options.seconds),
    Number(options.processes),
  ];
  const endpoint = await startLimitedEndpoint({ ...options, perMinute, latencyMs: Number(options.latency) });
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  try {
    const stated = options.stated ? [String(perMinute)] : [];
    const callers = Array.from({ length: processes }, () =>
      spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', child, folder, endpoint.url, String(seconds), ...stated],
        {
          stdio: 'inherit',
        },
      ),
    );
    await Promise.all(callers.map((caller) => once(caller, 'exit')));
    const result = endpoint.seen();
    const allowed = (perMinute * seconds) / 60;
    const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(2)} %`;
    const manner = `${options.stated ? ', stated' : ''}${options.countsRefused ? ', refused ones count' : ''}`;
    print(
      `${perMinute} a minute${manner}, ${counted(processes, 'process', 'processes')}, ${seconds} s: ` +
        `${result.taken} taken, ${share(result.taken, allowed)} of the rate; ${result.refused} refused, ` +
        `${share(result.refused, result.taken + result.refused)} of the calls; ` +
        `worst minute ${result.worstMinute}`,
    );
    return result;
  } finally {
    await endpoint.close();
    rmSync(folder, { recursive: true });
  }
}
