/** Identifies a process by pid and start time: pids are reused, so never signal a process by its pid alone. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own format; equal only for the same process. */
  readonly started: string;
}

/** The process that has this pid now; null when there is none, or only a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === null ? null : { pid, started };
}

export const isAlive = (identity: ProcessIdentity): boolean =>
  identifyProcess(identity.pid)?.started === identity.started;

/** Running processes whose command line has `option` followed by a value that begins with `prefix`. */
export function findProcesses(option: string, prefix: string): ProcessIdentity[] {
  const pids = process.platform === 'linux' ? pidsOnLinux(`\0${option}\0${prefix}`) : pidsByPs(` ${option} ${prefix}`);
  return pids.flatMap((pid) => identifyProcess(pid) ?? []);
}

/** SIGTERM, then SIGKILL after `graceMs`. Returns when the process is gone. */
export async function stopProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signalProcess(identity, 'SIGTERM');
  if (await isGoneWithin(identity, graceMs)) return;
  signalProcess(identity, 'SIGKILL');
  if (!(await isGoneWithin(identity, 5_000)))
    throw new Error(`process ${identity.pid} is still running 5 s after SIGKILL`);
}

/** Whether a process runs that was started by this path. */
export function isRunning(executable: string): boolean {
  const pids = process.platform === 'linux' ? pidsOnLinux(`\0${executable}\0`) : pidsByPs(` ${executable} `);
  return pids.some((pid) => identifyProcess(pid) !== null);
}

function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function isGoneWithin(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  while (isAlive(identity)) {
    if (performance.now() > deadlineMs) return false;
    await sleep(50);
  }
  return true;
}

/** Boot id and start tick of /proc: ticks count from boot, so they repeat after a restart of the machine. */
function startedOnLinux(pid: number): string | null {
  try {
    // The command name is in parentheses and may contain anything; the fields after it begin
    // with the state (the third).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

function startedByPs(pid: number): string | null {
  try {
    const [state, ...started] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}

function pidsOnLinux(part: string): number[] {
  const commandLine = (pid: string): string => {
    try {
      return `\0${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`;
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid).includes(part)).map(Number);
}

function pidsByPs(part: string): number[] {
  try {
    const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.filter((line) => line.includes(part)).map((line) => Number.parseInt(line, 10));
  } catch {
    return [];
  }
}
