/** One metric of a study, compared between the models that have values, with what is said of the others. */
import type { Sides } from '../../analysis/gate/compared.ts';
import {
  compareModels,
  type Comparison,
  type ComparisonOptions,
  type ModelValues,
} from '../../domain/compare/comparison.ts';
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import { nameList } from '../../domain/name-list.ts';
import type { NotedSubject } from './conditions-text.ts';
import { apartText, type KnownSides, lackingText, noSharedValue, noValues, ownTasks } from './known-sides.ts';
import { noneJudged, wholeComparison } from './whole-comparison.ts';

/** What is said of a metric. */
export interface Remark {
  readonly subject: NotedSubject;
  readonly text: string;
}

export interface SubjectReport {
  readonly subject: NotedSubject;
  readonly comparisons: readonly Comparison[];
  /** Whether models share a task with the metric. */
  readonly isShared: boolean;
  /** Which models are left out, and why. */
  readonly left: readonly Remark[];
  /** That models have values, but of no task that all of them have. */
  readonly apart: readonly Remark[];
  /** That fewer than two models have values. */
  readonly lacking: readonly Remark[];
  readonly notes: readonly string[];
}

/** @param all the models of all sides */
export function subjectReport(
  [{ study, manifest }]: Sides['sides'],
  all: ModelValues['models'],
  known: KnownSides,
  wanted: Omit<ComparisonOptions, 'seed'> & { readonly metric?: GateMetricName },
): SubjectReport {
  const { found, places } = known;
  const { subject, variant = null, tasks, together } = found;
  const models = places.flatMap((place) => all[place] ?? []);
  const place = { study: study.name, subject, variant, models };
  const options = { margin: wanted.margin, alpha: wanted.alpha, seed: manifest.spec.seed };
  const namesOf = (some: readonly number[]): string[] => some.flatMap((side) => all[side]?.name ?? []);
  const lacking = namesOf(known.without.filter((side) => !known.withoutSuite.includes(side)));
  const unasked = namesOf([...known.withoutSuite, ...(found.withoutSuite ?? []).map((side) => places[side] ?? -1)]);
  const single = tasks !== null && tasks.taskIds.length > 0 ? ofTasks(place, tasks, options) : null;
  const whole = together && together.taskIds.length > 0 ? wholeComparison(place, together, options) : null;
  const unknown = single?.unknown ?? [];
  const asked = unknown.filter((name) => !unasked.includes(name));
  const own = ownTasks(found);
  const having = models.flatMap(({ name }, side) => ((own[side] ?? 0) > 0 ? [name] : []));
  const unjudged = asked.filter((name) => !having.includes(name));
  const elsewhere = asked.filter((name) => having.includes(name));
  const otherSuite = [...namesOf(known.withoutSuite), ...unknown.filter((name) => unasked.includes(name))];
  const apart = apartText(found, namesOf(places));
  const empty = lackingText(found, namesOf(places), wanted.metric !== undefined);
  const remark = (text: string): Remark => ({ subject: { ...subject, variant }, text });
  const left = [
    ...(lacking.length === 0 ? [] : [noValues(lacking)]),
    ...(unjudged.length === 0 ? [] : [noneJudged(unjudged)]),
    ...(elsewhere.length === 0 ? [] : [noSharedValue(elsewhere)]),
    ...(whole?.left ?? []),
  ];
  return {
    subject: { ...subject, variant },
    comparisons: [...(single?.comparison ?? []), ...(whole?.comparison ?? [])],
    isShared: single !== null || whole !== null,
    left: left.map(remark),
    apart: apart === null ? [] : [remark(apart)],
    lacking: empty === null ? [] : [remark(empty)],
    notes: otherSuite.length === 0 ? [] : [otherSuiteNote(study.name, subject, otherSuite)],
  };
}

interface TasksComparison {
  readonly comparison: readonly Comparison[];
  /** Models without any judged answer. */
  readonly unknown: readonly string[];
}

function ofTasks(
  place: Pick<ModelValues, 'study' | 'subject' | 'variant' | 'models'>,
  { own, ...values }: NonNullable<KnownSides['found']['tasks']>,
  options: ComparisonOptions,
): TasksComparison {
  const { known, unknown } = withoutUnknown({ ...place, ownTasks: own, ...values });
  return { comparison: known.models.length > 1 ? [compareModels(known, options)] : [], unknown };
}

const otherSuiteNote = (study: string, { metric, suite }: GateSubject, models: readonly string[]): string =>
  `study ${study}, ${metric}: suite ${suite} did not judge ${nameList(models)}: left out`;

/** Of models without any judged answer nothing is known. */
function withoutUnknown(found: ModelValues): { readonly known: ModelValues; readonly unknown: readonly string[] } {
  const { models, judged, byPrompt, extremes } = found;
  const isKnown = models.map((_, model) => judged?.[model]?.some((value) => value !== null) !== false);
  if (isKnown.every(Boolean)) return { known: found, unknown: [] };
  const kept = <T>(all: readonly T[]): T[] => all.filter((_, model) => isKnown[model]);
  const known = {
    ...found,
    ...{ models: kept(models), values: kept(found.values), ownTasks: kept(found.ownTasks) },
    samples: found.samples && kept(found.samples),
    ...(found.shown && { shown: kept(found.shown) }),
    ...(found.quotients && { quotients: { ...found.quotients, parts: kept(found.quotients.parts) } }),
    ...(judged && { judged: kept(judged) }),
    ...(byPrompt && { byPrompt: kept(byPrompt) }),
    ...(extremes && { extremes: { least: kept(extremes.least), most: kept(extremes.most) } }),
    ...(found.unjudged && { unjudged: kept(found.unjudged) }),
  };
  return { known, unknown: models.filter((_, model) => !isKnown[model]).map(({ name }) => name) };
}
