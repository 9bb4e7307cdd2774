/** A long run on some hosts of the test bed: its command on the first, a worker on each other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { starterBenchmark } from '../../cli/starter.ts';
import type { Host } from '../../scripts/cluster/hosts.ts';

export interface Workplace {
  readonly folder: string;
  readonly hosts: readonly Host[];
  /** What names the servers. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Asking {
  readonly url: string;
  readonly models: number;
  /** Requests a minute that the spec states; null for none. */
  readonly limit: number | null;
}

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** More than any measurement takes: it is stopped before its end. */
const samples = 200;

export async function startOnHosts(
  place: Workplace,
  count: number,
  asking: Asking,
): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(place.folder, 'run-'));
  const spec = join(folder, 'spec.yaml');
  writeFileSync(spec, specText(`r${Date.now()}`, asking));
  const running = place.hosts.slice(0, count).map((host, index) => {
    const args = index === 0 ? ['run', spec] : ['worker'];
    return start(host, args, join(folder, host.name), place.env);
  });
  return {
    async stop() {
      for (const { child, log } of running)
        if (child.exitCode !== null) throw new Error(`ended by itself:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
      // Twice: do not wait for what is in flight.
      for (const { child } of running) child.kill('SIGINT');
      for (const { child } of running) child.kill('SIGINT');
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly log: string;
  readonly ended: Promise<unknown>;
}

function start(
  { command }: Host,
  args: readonly string[],
  home: string,
  servers: Readonly<Record<string, string>>,
): Running {
  mkdirSync(home, { recursive: true });
  const log = join(home, 'log');
  const output = openSync(log, 'w');
  const own = { HOME: home, EVENKEEL_CACHE: '', XDG_CACHE_HOME: '', EVENKEEL_RUNS: '', EVENKEEL_SANDBOX: 'embedded' };
  const [program, ...before] = [...command, process.execPath, '--disable-warning=ExperimentalWarning', main];
  const child = spawn(program, [...before, ...args], {
    cwd: home,
    env: { ...process.env, ...servers, ...own },
    stdio: ['ignore', output, output],
  });
  return { child, log, ended: once(child, 'exit') };
}

const specText = (name: string, { url, models, limit }: Asking): string => `name: ${name}
providers:
  sim:
    kind: simulator
    baseUrl: ${JSON.stringify(url)}
    ${limit === null ? '' : `limits: { requestsPerMinute: ${limit} }`}
models:
${Array.from({ length: models }, (_, index) => `  - { id: m${index}, provider: sim }`).join('\n')}
benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)} }
studies:
  - { name: plain, kind: pass, benchmark: starter, settings: { samples: ${samples} } }
`;
