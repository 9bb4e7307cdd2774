/**
 * How much of a limit is used, and how many calls are refused: with a real endpoint, real processes and real minutes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../domain/counted.ts';
import { type LimitedEndpoint, type MinuteLimits, startLimitedEndpoint } from './limited-endpoint.ts';

export interface LimitsOptions {
  readonly perMinute: string;
  readonly inputPerMinute?: string;
  readonly outputPerMinute?: string;
  readonly seconds: string;
  readonly processes: string;
  readonly latency: string;
  readonly countsRefused: boolean;
  readonly headers: boolean;
  readonly stated: boolean;
}

const child = fileURLToPath(new URL('limits-process.ts', import.meta.url));

export async function limits(options: LimitsOptions, print: (line: string) => void): Promise<void> {
  const perMinute: MinuteLimits = {
    requests: Number(options.perMinute),
    inputTokens: Number(options.inputPerMinute ?? Infinity),
    outputTokens: Number(options.outputPerMinute ?? Infinity),
  };
  const endpoint = await startLimitedEndpoint({
    ...{ perMinute, latencyMs: Number(options.latency) },
    ...{ countsRefused: options.countsRefused, sendsHeaders: options.headers },
  });
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  try {
    const stated = JSON.stringify(options.stated ? statedLimits(perMinute) : {});
    const args = ['--disable-warning=ExperimentalWarning', child, folder, endpoint.url, options.seconds, stated];
    const callers = Array.from({ length: Number(options.processes) }, () =>
      spawn(process.execPath, args, { stdio: 'inherit' }),
    );
    await Promise.all(callers.map((caller) => once(caller, 'exit')));
    print(resultText(options, perMinute, endpoint.seen()));
  } finally {
    await endpoint.close();
    rmSync(folder, { recursive: true });
  }
}

const statedLimits = ({ requests, inputTokens, outputTokens }: MinuteLimits): Record<string, number> =>
  Object.fromEntries(
    Object.entries({
      requestsPerMinute: requests,
      inputTokensPerMinute: inputTokens,
      outputTokensPerMinute: outputTokens,
    }).filter(([, limit]) => Number.isFinite(limit)),
  );

const limitWords = { requests: 'requests', inputTokens: 'input tokens', outputTokens: 'output tokens' } as const;

function resultText(
  options: LimitsOptions,
  perMinute: MinuteLimits,
  seen: ReturnType<LimitedEndpoint['seen']>,
): string {
  const { taken, refused, worstMinute } = seen;
  const kinds = (Object.keys(limitWords) as (keyof MinuteLimits)[]).filter((kind) => Number.isFinite(perMinute[kind]));
  const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(2)} %`;
  const used = kinds.map((kind) => {
    const allowed = (perMinute[kind] * Number(options.seconds)) / 60;
    return `${taken[kind]} ${limitWords[kind]}, ${percent(taken[kind], allowed)} of the rate`;
  });
  const manner = [
    ...(options.stated ? [', stated'] : []),
    ...(options.headers ? [', headers'] : []),
    ...(options.countsRefused ? [', refused ones count'] : []),
  ];
  return (
    `${kinds.map((kind) => `${perMinute[kind]} ${limitWords[kind]}`).join(', ')} a minute${manner.join('')}, ` +
    `${counted(Number(options.processes), 'process', 'processes')}, ${options.seconds} s: taken ${used.join('; ')}; ` +
    `${refused} refused, ${percent(refused, taken.requests + refused)} of the calls; worst minute ${worstMinute}`
  );
}
