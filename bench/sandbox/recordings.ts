/**
 * The cost of a re-score: all different programs of EVALOOP's published recordings, judged on MBPP+ as a study judges
 * them, without a study around. Processor time in all (this process, slots and programs) against that of the programs'
 * own processes, and how busy the programs keep the cores.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { createSlowShare } from '../../activities/judging/slow-share.ts';
import { referenceMs, slowReferenceMs } from '../../activities/judging/reference-times.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { SandboxTier } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import { parseTrajectories } from '../../studies/evaloop/trajectories.ts';
import { judge, type Judgement } from '../judging/judge.ts';
import { type Subject, subjectsOf } from '../judging/subjects.ts';
import { watchSlotsTime } from './slots-time.ts';

/** As many pages as a call worker serves, of 64 cells each, are in flight at most. */
const inFlight = 512;
const wanted = 1.15;

interface Program {
  readonly subjects: readonly Subject[];
  readonly source: string;
}

interface Total {
  programs: number;
  verdicts: number;
  cpuMs: number;
  readonly outcomes: Map<string, number>;
}

/** @param every one of so many programs is judged */
export async function recordingsTotal(
  tier: SandboxTier,
  tasks: readonly Task[],
  { folder, every }: { readonly folder: string; readonly every: number },
  print: (line: string) => void,
): Promise<void> {
  const box = await openSandbox(tier);
  const total: Total = { programs: 0, verdicts: 0, cpuMs: 0, outcomes: new Map() };
  try {
    const programs = programsOf(folder, await subjectsOf(box, tasks)).filter((_, index) => index % every === 0);
    print(`\n${programs.length} different programs of the recordings in ${folder}, base and plus suites of MBPP+`);
    const slots = watchSlotsTime();
    const [began, before] = [performance.now(), process.cpuUsage()];
    await judgeAll(box, programs, total, print);
    const wall = (performance.now() - began) / 1000;
    const own = process.cpuUsage(before);
    slots.stop();
    report(total, wall, (own.user + own.system) / 1e6, slots.seconds(), box.concurrency, print);
  } finally {
    await box.close();
  }
}

function programsOf(folder: string, subjects: readonly Subject[]): Program[] {
  const byTask = Map.groupBy(subjects, ({ task }) => task.taskId);
  const sources = new Map<string, Program>();
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    for (const { taskId, lines } of parseTrajectories(readFileSync(file, 'utf8'), file)) {
      const suites = byTask.get(taskId);
      if (suites === undefined) continue;
      for (const { step, reply } of lines)
        if (step === 'generate' && reply !== '')
          sources.set(`${taskId}\n${reply}`, { subjects: suites, source: reply });
    }
  }
  return [...sources.values()];
}

async function judgeAll(
  box: Sandbox,
  programs: readonly Program[],
  total: Total,
  print: (line: string) => void,
): Promise<void> {
  const limit = pLimit(inFlight);
  const share = createSlowShare(box.concurrency);
  const began = performance.now();
  const judgeOne = async ({ subjects, source }: Program): Promise<void> => {
    const verdicts = await Promise.all(
      subjects.map((subject) => {
        const isSlow = referenceMs(subject.reference) >= slowReferenceMs;
        return share.run(isSlow, () => judge(box, subject, source, undefined, isSlow));
      }),
    );
    for (const verdict of verdicts) count(total, verdict);
    total.programs += 1;
    if (total.programs % 2000 === 0)
      print(`  ${total.programs} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  };
  await Promise.all(programs.map((program) => limit(() => judgeOne(program))));
}

function count(total: Total, { outcome, run: { cpuMs } }: Judgement): void {
  total.verdicts += 1;
  total.cpuMs += cpuMs ?? 0;
  total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + 1);
}

function report(
  { programs, verdicts, cpuMs, outcomes }: Total,
  wall: number,
  own: number,
  slots: number,
  cores: number,
  print: (line: string) => void,
): void {
  const used = cpuMs / 1000;
  const ratio = (own + slots) / used;
  print(
    `  ${programs} programs, ${verdicts} verdicts in ${wall.toFixed(0)} s: ${(programs / wall).toFixed(0)} a second`,
  );
  print(`  outcomes: ${[...outcomes].map(([outcome, n]) => `${outcome} ${n}`).join(', ')}`);
  print(`  the cores were busy with programs for ${((100 * used) / (wall * cores)).toFixed(1)} % of the time`);
  print(
    `  processor time: programs ${used.toFixed(0)} s, slots and programs ${slots.toFixed(0)} s, ` +
      `this process ${own.toFixed(0)} s`,
  );
  print(
    `  => ${ratio.toFixed(3)} x the programs' own processor time: ${ratio <= wanted ? 'met' : 'MISSED'} ` +
      `(wanted: at most ${wanted})`,
  );
}
