/**
 * EVALOOP of simulated models over a published benchmark with programs run, by the command that users start: its time,
 * the processor time of all that it starts, and how much memory its largest process takes.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openRun } from '../../analysis/database.ts';
import { loadText } from '../machine.ts';
import { loops } from '../pipeline/workload.ts';

const command = join(import.meta.dirname, '..', '..', 'bin', 'evenkeel.mjs');
const lookMs = 500;

type Print = (line: string) => void;

export interface ProgramsOptions {
  readonly models: number;
  /** MBPP+ as EvalPlus publishes it. */
  readonly mbpp: string;
  readonly tier: string;
}

export async function sweepWithPrograms({ models, mbpp, tier }: ProgramsOptions, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-programs-'));
  try {
    print(`\n${models} simulated models x EVALOOP over MBPP+ x ${loops} loops, programs run (${tier})`);
    writeFileSync(join(folder, 'programs.yaml'), JSON.stringify(specOf(models, mbpp)));
    const took = await started(['run', join(folder, 'programs.yaml')], {
      ...process.env,
      ...{ EVENKEEL_RUNS: join(folder, 'runs'), EVENKEEL_SANDBOX: tier, EVENKEEL_EXECUTION_CACHE: 'off' },
    });
    const { answers, programs } = await countsOf(join(folder, 'runs', 'programs'));
    print(
      `  ${answers} answers, ${programs} programs run, ${took.seconds.toFixed(0)} s with start and reports: ` +
        `${(answers / took.seconds).toFixed(0)} answers and ${(programs / took.seconds).toFixed(0)} programs a ` +
        `second, ${((1000 * took.cpuS) / answers).toFixed(2)} ms of processor time an answer, ${loadText()}`,
    );
    print(`  the largest process took ${(took.peakBytes / 1e6).toFixed(0)} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Models that are often right, so that most tasks take several loops, and of different strength. */
const specOf = (models: number, mbpp: string) => ({
  name: 'programs',
  models: Array.from({ length: models }, (_, index) => ({
    id: `bench-${index}`,
    provider: 'simulated',
    profile: { seed: index, competence: 0.95 - index / 200, driftPerLoop: 0.03 },
  })),
  benchmarks: { mbpp: { format: 'mbpp-plus', path: mbpp } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp', settings: { maxLoops: loops, judge: 'none' } }],
});

interface Took {
  readonly seconds: number;
  /** Of all processes that ended with the command. */
  readonly cpuS: number;
  readonly peakBytes: number;
}

async function started(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Took> {
  const start = performance.now();
  const timed = `TIMEFORMAT='%U %S'; time "$@"`;
  const child = spawn('bash', ['-c', timed, 'bash', process.execPath, command, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let peakBytes = 0;
  while (child.exitCode === null) {
    peakBytes = Math.max(peakBytes, ...descendantsOf(child.pid ?? 0).map(peakOf));
    await Promise.race([ended, wait(lookMs)]);
  }
  const status = await ended;
  const [user, system] = said.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}: ${said}`);
  return {
    seconds: (performance.now() - start) / 1000,
    cpuS: (user ?? Number.NaN) + (system ?? Number.NaN),
    peakBytes,
  };
}

/** Processes of this machine that a process started, and what they started in turn. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(Number(name))] as const);
  const below = (one: number): number[] =>
    parents.flatMap(([child, parent]) => (parent === one ? [child, ...below(child)] : []));
  return below(pid);
}

const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0);
const peakOf = (pid: number): number => 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(statusOf(pid))?.[1] ?? 0);

/** Empty for a process that has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

async function countsOf(folder: string): Promise<{ readonly answers: number; readonly programs: number }> {
  const database = await openRun(folder, { views: [] });
  try {
    const { rows } = await database.query(
      'select (select count(*) from samples) as answers, (select count(*) from executions) as programs',
    );
    const [answers, programs] = rows[0] ?? [];
    return { answers: Number(answers), programs: Number(programs) };
  } finally {
    database.close();
  }
}
