/** One study of a run in every universe: each rule of extraction has a run, whose verdicts are read in several ways. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRun } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { type Unjudged, unjudgedIn } from '../../analysis/multiverse/unjudged.ts';
import type { Finding } from '../../domain/multiverse/finding.ts';
import { type Choice, combinationsOf, type Options } from '../../domain/multiverse/universe.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { ExtractionName } from '../../schemas/spec/fields.ts';
import { findingsIn, type Found } from '../../studies/multiverse/findings.ts';
import { leftNotes } from '../../studies/multiverse/left-notes.ts';
import { allSuites, excludedOptions, limitOptions, type Review } from '../../studies/multiverse/review.ts';
import type { Run } from '../runs/opened/run.ts';
import { type Judging, type LimitCost, limitCost, type LimitOutcomes, outcomesUnder } from './other-limits.ts';
import { type ReviewedTables, reviewedTables } from './reviewed-tables.ts';

/** The run whose verdicts are on the programs that a rule extracts. */
export interface JudgedRun {
  readonly rule: ExtractionName;
  readonly run: Run;
}

export interface StudyWanted {
  readonly study: SpecStudy;
  /** Ids; at least one. */
  readonly models: readonly [string, ...string[]];
  /** The study's own rule first. */
  readonly judged: readonly [JudgedRun, ...JudgedRun[]];
  readonly metric?: string;
  /** Other time limits to try as well. */
  readonly limits?: OtherLimits;
  /** Called before each universe, with its number from 1 and the number of all. */
  onUniverse(number: number, of: number): void;
}

export interface OtherLimits extends Judging {
  /** Least time limits of one case, milliseconds. */
  readonly caseLimitsMs: readonly number[];
  /** Called before programs run: what each limit costs, over all rules. */
  onCosts(costs: readonly (LimitCost & { readonly caseLimitMs: number })[]): void;
  /** Called after each program. */
  onProgram(caseLimitMs: number): void;
}

export interface StudyMultiverse {
  readonly findings: readonly Finding[];
  /** Those that all studies have, with the options that were tried: one option if no other could change anything. */
  readonly choices: readonly Choice[];
  /** Which models differences leave out, and why. */
  readonly notes: readonly string[];
}

export async function studyMultiverse(wanted: StudyWanted): Promise<StudyMultiverse> {
  const [{ run: own }] = wanted.judged;
  const choices = reviewChoices(suitesOf(own, wanted.study), await unjudgedOf(wanted), await effectiveLimits(wanted));
  const varied = combinationsOf(choices);
  const found: Found[] = [];
  for (const [index, judged] of wanted.judged.entries())
    found.push(
      ...(await ruleFindings(wanted, judged, varied, (place) =>
        wanted.onUniverse(index * varied.length + place, wanted.judged.length * varied.length),
      )),
    );
  const [{ rule }, ...others] = wanted.judged;
  return {
    findings: found.flatMap(({ findings }) => findings),
    choices: [{ name: 'extraction', options: [rule, ...others.map((one) => one.rule)] }, ...choices],
    notes: leftNotes(wanted.study.name, found),
  };
}

const suitesOf = (run: Run, { benchmark }: SpecStudy): string[] => [
  ...new Set([...run.tasks(benchmark).values()].flatMap(({ suites }) => suites.map(({ name }) => name))),
];

/** A choice that no answer depends on keeps the run's own option. */
function reviewChoices(
  suites: readonly string[],
  { stopped, excluded }: Unjudged,
  caseLimitsMs: readonly number[],
): Choice[] {
  return [
    { name: 'suites', options: [allSuites, ...(suites.length > 1 ? suites : [])] },
    { name: 'limits', options: ['failed', ...caseLimitsMs.map(limitText), ...(stopped ? ['passed'] : [])] },
    { name: 'excluded', options: excluded ? excludedOptions : [excludedOptions[0]] },
  ];
}

/** Limits that can change a verdict, in their order. Tells the costs. */
async function effectiveLimits({ study, judged, limits }: StudyWanted): Promise<readonly number[]> {
  if (limits === undefined) return [];
  const costs: (LimitCost & { readonly caseLimitMs: number })[] = [];
  for (const caseLimitMs of limits.caseLimitsMs) {
    const each: LimitCost[] = [];
    for (const { run } of judged) each.push(await limitCost(limitWanted(run, study, caseLimitMs), limits));
    costs.push({
      caseLimitMs,
      programs: sum(each.map(({ programs }) => programs)),
      known: sum(each.map(({ known }) => known)),
      seconds: sum(each.map(({ seconds }) => seconds)),
    });
  }
  limits.onCosts(costs);
  return costs.filter(({ programs }) => programs > 0).map(({ caseLimitMs }) => caseLimitMs);
}

const limitWanted = (run: Run, { name, benchmark }: SpecStudy, caseLimitMs: number) => ({
  ...{ run, study: name, benchmark, caseLimitMs },
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** `4000 ms`. */
const limitText = (caseLimitMs: number): string => `${caseLimitMs} ms`;

async function unjudgedOf({ study, judged }: StudyWanted): Promise<Unjudged> {
  const database = await openRun(await Promise.all(judged.map(({ run }) => run.home.tables())));
  try {
    return await unjudgedIn(database, study.name);
  } finally {
    database.close();
  }
}

async function ruleFindings(
  wanted: StudyWanted,
  { rule, run }: JudgedRun,
  varied: readonly Options[],
  onReview: (place: number) => void,
): Promise<Found[]> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-multiverse-'));
  try {
    const found: Found[] = [];
    const outcomes = await outcomesByLimit(wanted, run, varied);
    const readings = varied.map((options) => ({
      review: reviewOf(options),
      limited: outcomes.get(options.limits ?? '') ?? null,
    }));
    const all = await reviewedTables(run, wanted.study.name, readings, folder);
    for (const [place, reviewed] of all.entries()) {
      onReview(place + 1);
      const isOwn = place === 0 && rule === wanted.judged[0].rule;
      found.push(await reviewFindings(wanted, run, reviewed, { extraction: rule, ...varied[place] }, isOwn));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By option, the outcomes under the limit that it names. */
async function outcomesByLimit(
  { study, limits }: StudyWanted,
  run: Run,
  varied: readonly Options[],
): Promise<ReadonlyMap<string, LimitOutcomes>> {
  const found = new Map<string, LimitOutcomes>();
  for (const caseLimitMs of limits?.caseLimitsMs ?? []) {
    const option = limitText(caseLimitMs);
    if (limits === undefined || !varied.some((options) => options.limits === option)) continue;
    const wanted = limitWanted(run, study, caseLimitMs);
    found.set(option, await outcomesUnder(wanted, limits, () => limits.onProgram(caseLimitMs)));
  }
  return found;
}

const reviewOf = ({ suites = allSuites, limits, excluded }: Options): Review => ({
  suites,
  limits: limitOptions.find((option) => option === limits) ?? 'failed',
  excluded: excludedOptions.find((option) => option === excluded) ?? 'excluded',
});

async function reviewFindings(
  { study: wanted, models, metric }: StudyWanted,
  run: Run,
  { files, notAsked }: ReviewedTables,
  options: Options,
  isOwn: boolean,
): Promise<Found> {
  const study = run.study(wanted.name);
  const database = await openRun(await run.home.tables(), { replaced: files });
  try {
    const sideOf = (model: string): Side => ({ manifest: run.manifest, study, model });
    const [first, ...others] = models;
    return await findingsIn({
      ...{ database, study, options, isOwn, sides: [sideOf(first), ...others.map(sideOf)] },
      ...(metric === undefined ? {} : { metric }),
      isSimulated: (model) => run.model(model).simulated,
      notAsked: (model) => notAsked(study.name, model),
    });
  } finally {
    database.close();
  }
}
