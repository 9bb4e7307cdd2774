/**
 * Judges the programs of a run again under another time limit, shorter or longer, and says before what that costs.
 * Nothing of the run is changed.
 */
import { InputError } from '../../domain/errors.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import type { At } from '../../studies/cell-state.ts';
import { pagesOf } from '../../studies/plan.ts';
import { programsPerSecond, programSlots } from '../estimate/program-times.ts';
import { apartFrom } from '../judging/apart-from.ts';
import { executionKey, usualJudging } from '../judging/execution-key.ts';
import type { JudgeProgram } from '../judging/judge-program.ts';
import { taskUnder } from '../judging/other-rule.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { judgedCells } from '../pages/page-cells.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';

/** By execution key of a program under the run's own limit, its outcome under the other limit. */
export type LimitOutcomes = ReadonlyMap<string, Outcome>;

export interface LimitWanted {
  readonly run: Run;
  readonly study: string;
  readonly benchmark: string;
  /** Least time limit of one case, milliseconds. */
  readonly caseLimitMs: number;
}

export interface Judging {
  readonly judge: JudgeProgram;
  /** Whether a verdict is known from an earlier run on this machine, by execution key. */
  readonly isKnown: (executionKey: string) => boolean;
  readonly signal: AbortSignal;
}

/** What a limit costs: nothing is asked, but programs run. */
export interface LimitCost {
  /** Different programs and suites whose verdict the limit can change. */
  readonly programs: number;
  /** Of them, those whose verdict under this limit is known already. */
  readonly known: number;
  /** Seconds for the others on this machine, as long as they took in the run. */
  readonly seconds: number;
}

const timeouts: ReadonlySet<Outcome> = new Set(['cpu_timeout', 'wall_timeout']);

/** Runs nothing. Throws InputError if the limit is that of the run. */
export async function limitCost(wanted: LimitWanted, { isKnown }: Pick<Judging, 'isKnown'>): Promise<LimitCost> {
  refuseOwnLimit(wanted);
  const limited = limitedTasks(wanted.caseLimitMs);
  const cost = { programs: 0, known: 0, seconds: 0 };
  for await (const programs of programsByPage(wanted))
    for (const program of programs) {
      cost.programs += 1;
      if (isKnown(keyUnder(limited, wanted.run, program))) cost.known += 1;
      else cost.seconds += secondsOf(program, wanted.caseLimitMs);
    }
  return cost;
}

/** Equal programs run once. Calls `onProgram` after each. */
export async function outcomesUnder(
  wanted: LimitWanted,
  { judge, signal }: Pick<Judging, 'judge' | 'signal'>,
  onProgram: () => void,
): Promise<LimitOutcomes> {
  const { run } = wanted;
  const limited = limitedTasks(wanted.caseLimitMs);
  const found = new Map<string, Outcome>();
  const judged = async ({ task, suite, code, verdict }: LimitedProgram): Promise<void> => {
    const other = limited(task);
    const { outcome } = await judge(apartFrom(run, task, suite), other, suiteIn(other, suite), code, signal);
    found.set(verdict.executionKey, outcome);
    onProgram();
  };
  for await (const programs of programsByPage(wanted)) await Promise.all(programs.map(judged));
  return found;
}

function refuseOwnLimit({ run, study, benchmark, caseLimitMs }: LimitWanted): void {
  const suites = [...run.tasks(benchmark).values()].flatMap((task) => task.suites);
  if (suites.some((suite) => suite.driver === undefined && ownLimitMs(suite) !== caseLimitMs)) return;
  throw new InputError(`must differ from the limit of study ${study}, ${caseLimitMs} ms; choose another limit`, {
    field: '--case-limit-ms',
  });
}

const ownLimitMs = ({ judging = usualJudging }: Suite): number => judging.caseLimitMs;

interface LimitedProgram {
  readonly task: Task;
  readonly suite: Suite;
  readonly code: string;
  /** Under the run's own limit. */
  readonly verdict: VerdictRecord;
}

/** Those whose verdict the limit can change, each once. */
async function* programsByPage({ run, study, caseLimitMs }: LimitWanted): AsyncGenerator<readonly LimitedProgram[]> {
  const seen = new Set<string>();
  for (const { page } of pagesOf(run.revisions)) {
    if (page.study !== study) continue;
    const programs = (await programsIn(run.page(page.page))).filter((program) => canChange(program, caseLimitMs));
    const byKey = new Map(programs.map((program) => [program.verdict.executionKey, program]));
    const fresh = [...byKey].filter(([key]) => !seen.has(key));
    for (const [key] of fresh) seen.add(key);
    yield fresh.map(([, program]) => program);
  }
}

/** A shorter limit may stop any program; a longer one lets only those go on that a time limit stopped. */
function canChange({ suite, verdict }: LimitedProgram, caseLimitMs: number): boolean {
  // A driver has limits of its own.
  if (suite.driver !== undefined || ownLimitMs(suite) === caseLimitMs) return false;
  return caseLimitMs < ownLimitMs(suite) || timeouts.has(verdict.outcome);
}

async function programsIn(page: RunPage): Promise<LimitedProgram[]> {
  const samples = await page.run.ledger.samples(page.page);
  const cells = await judgedCells(page, samples);
  return samples.flatMap(({ key: at }) => {
    const cell = cells[at.cell] as PageCell;
    const code = codeAt(cell, at);
    if (code === null) return [];
    const task = cell.taskAt(at);
    return cell.verdicts(at).flatMap((verdict, index) => {
      const suite = task.suites[index];
      return suite === undefined ? [] : [{ task, suite, code, verdict }];
    });
  });
}

/** The verdicts of the program made at `at`, under the other limit where it can change them; undefined without one. */
export function outcomesWith(outcomes: LimitOutcomes, cell: PageCell, at: At) {
  return codeAt(cell, at) === null
    ? undefined
    : cell.verdicts(at).map(({ suite, outcome, executionKey: key }) => ({
        suite,
        outcome: outcomes.get(key) ?? outcome,
      }));
}

const codeAt = (cell: PageCell, at: At): string | null => cell.extracted(at)?.code ?? null;

/** A stopped program runs on to a longer limit, if it must. */
function secondsOf({ suite, verdict }: LimitedProgram, caseLimitMs: number): number {
  const measuredMs = Math.max(verdict.cpuMs ?? 0, verdict.wallMs);
  const longer = Math.max(1, caseLimitMs / ownLimitMs(suite));
  return Math.max(1 / programsPerSecond, (measuredMs * longer) / 1000 / programSlots);
}

const keyUnder = (limited: (task: Task) => Task, run: Run, { task, suite, code }: LimitedProgram): string => {
  const other = limited(task);
  return executionKey(run.sandbox, other, suiteIn(other, suite), code);
};

const suiteIn = (task: Task, { name }: Suite): Suite => task.suites.find((suite) => suite.name === name) as Suite;

/** Records of tasks as in a run whose spec states the limit, so that both share the execution cache. */
function limitedTasks(caseLimitMs: number): (task: Task) => Task {
  const known = new Map<string, Task>();
  return (task) => {
    const limited = known.get(task.recordSha256) ?? taskUnder(task, { caseLimitMs });
    known.set(task.recordSha256, limited);
    return limited;
  };
}
