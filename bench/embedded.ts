/**
 * The embedded tier alone: HumanEval programs per second in one process that is rolled back after each program, and its
 * memory over many programs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createEmbeddedSandbox } from '../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import { judge } from './judging/judge.ts';
import { loadTasks, type Subject, subjectsOf } from './judging/subjects.ts';
import { loadText, median } from './machine.ts';
import { lightMs, lightTasks } from './sandbox/ours.ts';

export interface EmbeddedBenchOptions {
  /** HumanEval as OpenAI publishes it. */
  readonly humaneval: string;
  readonly rounds: string;
  readonly programs: string;
}

type Print = (line: string) => void;

const wantedRate = 150;
/** Rounds in which V8 still recompiles the interpreter's code in the background, hotter parts first. */
const warmUps = 6;
/** Every `keepEvery`th program keeps `keptBytes` of memory when it ends. */
const keepEvery = 10;
const keptBytes = 20_000_000;
const looks = 8;

export async function embedded({ humaneval, rounds, programs }: EmbeddedBenchOptions, print: Print): Promise<void> {
  const box = await createEmbeddedSandbox({ processes: 1 });
  try {
    const tasks = await loadTasks('humaneval', humaneval);
    const subjects = await subjectsOf(box, await lightTasks(box, tasks, tasks.length));
    print(
      `${box.engine}, one process; ${subjects.length} of ${tasks.length} ` +
        `references of HumanEval, those under ${lightMs} ms`,
    );
    await rate(box, subjects, Number(rounds), print);
    await memory(box, subjects, Number(programs), print);
  } finally {
    await box.close();
  }
}

async function rate(box: Sandbox, subjects: readonly Subject[], rounds: number, print: Print): Promise<void> {
  const rates: number[] = [];
  const cpuMs: number[] = [];
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    const [began, beganCpu] = [performance.now(), processorMs()];
    for (const subject of subjects) await mustPass(box, subject, `${subject.task.reference}\n# round ${round}\n`);
    const perSecond = (subjects.length / (performance.now() - began)) * 1000;
    const each = (processorMs() - beganCpu) / subjects.length;
    print(
      `${round < 1 ? 'warm-up' : `round ${round}`}: ${perSecond.toFixed(0)} programs/s, ${each.toFixed(1)} ms of ` +
        `CPU each, ${loadText()}`,
    );
    if (round < 1) continue;
    rates.push(perSecond);
    cpuMs.push(each);
  }
  print(
    `median ${median(rates).toFixed(0)} programs/s and process, comparison included, ${median(cpuMs).toFixed(1)} ` +
      `ms of CPU each in it; wanted ${wantedRate}`,
  );
}

async function memory(box: Sandbox, subjects: readonly Subject[], programs: number, print: Print): Promise<void> {
  const began = performance.now();
  for (let done = 1; done <= programs; done += 1) {
    const subject = subjects[done % subjects.length] as Subject;
    const kept = done % keepEvery === 0 ? `kept = bytearray(${keptBytes})\n` : '';
    await mustPass(box, subject, `${subject.task.reference}\n${kept}# ${done}\n`);
    if (done % Math.ceil(programs / looks) === 0 || done === programs) print(`after ${done} programs: ${residents()}`);
  }
  const seconds = (performance.now() - began) / 1000;
  print(
    `${programs} programs in ${seconds.toFixed(0)} s, every ${keepEvery}th keeps ${keptBytes / 1e6} MB, ` +
      'every verdict right',
  );
}

async function mustPass(box: Sandbox, subject: Subject, source: string): Promise<void> {
  const { outcome, detail } = await judge(box, subject, source);
  if (outcome !== 'pass') throw new Error(`the reference of ${subject.task.taskId} ended with ${outcome}: ${detail}`);
}

/** The child processes, including a spare one; their ids show whether one was replaced. */
const residents = (): string =>
  children()
    .map((pid) => `process ${pid} ${residentMiB(pid)} MiB`)
    .join(', ');

const children = (): string[] =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );

const residentMiB = (pid: string): number =>
  Math.round(
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024,
  );

/** CPU time of all of them, user and system, milliseconds; Linux counts hundredths of a second. */
const processorMs = (): number =>
  children().reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + 10 * (Number(fields[11]) + Number(fields[12]));
  }, 0);
