/** Several runs beside each other, as the first parts of their report. */
import { flipSides, flipsOf } from '../../domain/compare/flips.ts';
import { gateMetric, type GateMetricName } from '../../domain/gate/metrics.ts';
import { unitHead } from '../../domain/gate/numbers.ts';
import { defaultLevel } from '../../domain/statistics/intervals/interval.ts';
import { plainTitleOf } from '../compare/parts.ts';
import { hasUnjudged } from '../compare/models-table.ts';
import { differenceCell, tasksCell, verdictTexts } from '../compare/pairs-table.ts';
import { count, number, probability, withRange } from '../report/cells.ts';
import { exampleLink } from '../report/examples/link.ts';
import { countText, levelText, missing } from '../report/format.ts';
import {
  type DataCell,
  type DataRow,
  type DataTable,
  lead,
  note,
  type Part,
  type Section,
  section,
} from '../report/part.ts';
import type { ReportContext } from '../report/study-report.ts';
import { answerAcross, nothingCompared } from './answer.ts';
import { differencesText } from './differences-text.ts';
import type { AcrossRuns, ModelAcross, RunDifference, TaskOverlap } from './across-runs.ts';

/** Longer lists are folded. */
const mostOpen = 40;
const mostFlips = 200;
const mostTasksNamed = 20;

export function acrossParts(across: AcrossRuns, context: ReportContext): Section[] {
  const pairs = Map.groupBy(across.models, ({ old, now }) => JSON.stringify([old, now]));
  const several = pairs.size > 1;
  return [
    section(undefined, [lead(across.models.length === 0 ? nothingCompared(across) : answerAcross(across.models))]),
    section(
      'What differs between the runs',
      [...differencesParts(across), ...tasksParts(across.tasks), ...across.leftOut.map((text) => note(`${text}.`))],
      { id: 'differences' },
    ),
    ...[...pairs.values()].map((models) => modelsSection(models, several, context)),
  ];
}

function differencesParts({ runs, differences }: AcrossRuns): Part[] {
  if (differences.length === 0) return [note('Spec, versions and answering models are the same in all of these runs.')];
  if (differences.length <= mostOpen) return [differencesTable(runs, differences)];
  const title = `All ${countText(differences.length)} settings, versions and names that differ`;
  return [note(differencesText(differences)), { ...differencesTable(runs, differences), folded: true, title }];
}

const differencesTable = (runs: readonly string[], differences: readonly RunDifference[]): DataTable => ({
  words: 2 + runs.length,
  note: 'Settings, versions and names that are not the same in all runs. A dash: the run has none.',
  heads: ['Of', 'What', ...runs],
  rows: differences.map(({ area, name, values }) => [
    ...[area, name === '' ? 'in the run' : name],
    ...values.map((value) => value ?? missing),
  ]),
});

function tasksParts(overlaps: readonly TaskOverlap[]): Part[] {
  const differ = overlaps.filter(
    ({ changed, otherSuites, onlyOld, onlyNow }) =>
      changed.length + otherSuites.length + onlyOld.length + onlyNow.length > 0,
  );
  const counts = overlaps.map(({ benchmark, same }) => `${benchmark}: ${countText(same)}`).join('; ');
  if (differ.length === 0) return [note(`The tasks are the same, with the same problem texts and tests (${counts}).`)];
  return [
    {
      title: 'Tasks',
      words: 1,
      note: 'Tasks with another prompt or other tests are not compared.',
      heads: [
        'Benchmark',
        'Runs',
        'The same',
        'Changed',
        'Other suites',
        'Only in the first',
        'Only in the second',
      ].map((text) => ({ text, words: text === 'Runs' || text === 'Benchmark' })),
      rows: overlaps.map(({ old, now, benchmark, same, changed, otherSuites, onlyOld, onlyNow }) => [
        ...[benchmark, `${old}, ${now}`, count(same)],
        ...[changed, otherSuites, onlyOld, onlyNow].map(namedCell),
      ]),
    },
    ...overlaps.flatMap(({ suiteNotes }) => suiteNotes.map((text) => note(`${text}.`))),
  ];
}

const namedCell = (tasks: readonly string[]): DataCell => ({
  ...count(tasks.length),
  ...(tasks.length === 0
    ? {}
    : { hint: `${tasks.slice(0, mostTasksNamed).join(', ')}${tasks.length > mostTasksNamed ? ', ...' : ''}` }),
});

function modelsSection(models: readonly ModelAcross[], several: boolean, context: ReportContext): Section {
  const [{ old, now }] = models as readonly [ModelAcross, ...ModelAcross[]];
  const studies = Map.groupBy(models, ({ comparison }) => comparison.study);
  return section(
    several ? `The same models in ${old} and ${now}` : 'The same models in both runs',
    [
      note(howToRead(old, now)),
      ...[...studies].map(([study, own]) => modelsTable(study, own, context)),
      ...flipParts(models, context),
    ],
    { id: several ? `models-${old}-${now}` : 'models' },
  );
}

const howToRead = (old: string, now: string): string =>
  `Each model in ${now} against itself in ${old}, on the tasks that both have. Difference: ${now} minus ${old}, ` +
  'with its ' +
  `${levelText(defaultLevel)} interval. Verdict: of ${now}, where Holm's p over the models of the metric is at most ` +
  '0.05; INCONCLUSIVE means that these tasks cannot tell. Tasks + -: those on which it became better, and worse. ' +
  'n: the tasks that both have; Both judged, only where answers could not be judged: of them, those behind the ' +
  'difference.';

function modelsTable(study: string, models: readonly ModelAcross[], context: ReportContext): DataTable {
  const [{ old, now }] = models as readonly [ModelAcross, ...ModelAcross[]];
  const isOpen = models.some(({ comparison }) => hasUnjudged(comparison));
  return {
    title: `Study ${study}`,
    words: 2,
    folded: models.length > mostOpen,
    heads: [
      ...['Model', 'Metric', { text: old, under: 'interval' }, { text: now, under: 'interval' }],
      { text: 'Difference', under: 'interval' },
      { text: 'Verdict', words: true },
      ...['Tasks + -', 'Holm', ...(isOpen ? ['Both judged'] : []), 'n'],
    ],
    rows: models.map((one) => modelRow(one, context, isOpen)),
  };
}

/** @param isOpen whether the table says how many tasks were judged */
function modelRow({ now, model, comparison, pHolm }: ModelAcross, context: ReportContext, isOpen: boolean): DataRow {
  const { standings, pairs, subject, taskIds, options } = comparison;
  const valueCell = (side: number): DataCell => {
    const found = standings.find((standing) => standing.model === side);
    return withRange(found?.value, found?.interval, 2);
  };
  const [pair] = pairs;
  if (pair === undefined) return [model, plainTitleOf(comparison)];
  const isDifferent = pHolm <= options.alpha;
  return [
    context.model(now, model),
    { text: plainTitleOf(comparison), under: unitsOf(subject.metric) },
    ...[valueCell(1), valueCell(0)],
    differenceCell(pair.difference, pair.interval),
    verdictTexts[isDifferent || pair.verdict === 'no_change' ? pair.verdict : 'inconclusive'],
    tasksCell(pair.better, pair.worse),
    probability(pHolm),
    ...(isOpen ? [pair.judgedTasks === null ? { text: missing, value: null } : count(pair.judgedTasks)] : []),
    count(taskIds.length),
  ];
}

/** Of the values and of their difference: times, in which these differ, are not compared between runs. */
function unitsOf(metric: GateMetricName): string[] {
  const { unit } = gateMetric(metric);
  return unit === '' ? [] : [unitHead(unit)];
}

/** The tasks that a model passes in one run and fails in the other. */
function flipParts(models: readonly ModelAcross[], context: ReportContext): Part[] {
  const studies = new Set(models.map(({ comparison }) => comparison.study));
  const rows = models.flatMap((one) => flipRows(one, studies, context));
  if (rows.length === 0) return [];
  const [{ old, now }] = models as readonly [ModelAcross, ...ModelAcross[]];
  const more = rows.length > mostFlips ? ` ${countText(mostFlips)} of ${countText(rows.length)} are listed.` : '';
  return [
    {
      title: 'Tasks that flip between the runs',
      words: 3,
      note: `The surest first for each model and metric; each opens its answers in both runs.${more}`,
      folded: rows.length > mostOpen,
      heads: ['Task', 'Model', 'Metric', old, now, { text: 'p', under: 'this task alone' }],
      rows: rows.slice(0, mostFlips),
    },
  ];
}

function flipRows(
  { now, model, comparison }: ModelAcross,
  studies: ReadonlySet<string>,
  context: ReportContext,
): DataRow[] {
  const { study, subject, options } = comparison;
  if (gateMetric(subject.metric).namesTasks !== true) return [];
  const most = options.range.kind === 'bounded' ? options.range.hi : 1;
  const { direction } = options;
  return flipsOf({ ...flipSides(comparison, [0, 1]), most, direction }).map((flip) => [
    { text: flip.taskId, link: exampleLink({ study, model, task: flip.taskId }) },
    context.model(now, model),
    studies.size > 1 ? `${study}: ${plainTitleOf(comparison)}` : plainTitleOf(comparison),
    ...[number(flip.second, 2), number(flip.first, 2), probability(flip.p)],
  ]);
}
