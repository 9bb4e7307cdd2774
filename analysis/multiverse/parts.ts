/** A multiverse as parts of a page: what was varied, what holds everywhere, and specification curves. */
import { unitHead } from '../../domain/gate/numbers.ts';
import type { Curve, Finding } from '../../domain/multiverse/finding.ts';
import type { Choice } from '../../domain/multiverse/universe.ts';
import { defaultLevel } from '../../domain/statistics/intervals/interval.ts';
import { count, number, withRange } from '../report/cells.ts';
import { levelText, missing } from '../report/format.ts';
import { type DataCell, type DataTable, type Figure, note, type Part, type Section, section } from '../report/part.ts';
import { modelColor } from '../report/style.ts';
import { curveSvg, sideColors } from './curve-chart.ts';
import { choiceTexts, metricText, subjectText, verdictOrder, verdictText } from './names.ts';

/** One study of a multiverse. */
export interface StudyCurves {
  readonly study: string;
  /** All models of the study, for their colours. */
  readonly models: readonly string[];
  readonly curves: readonly Curve[];
  /** Choices that all quantities depend on. */
  readonly choices: readonly Choice[];
}

/** @param mostCurves per study, the most fragile conclusions first */
export const multiverseParts = (
  studies: readonly StudyCurves[],
  notes: readonly string[],
  mostCurves: number,
): Section[] => [
  section(undefined, [choicesTable(studies), ...notes.map(note)]),
  ...studies.map((one) => section(one.study, studyParts(one, mostCurves))),
  section('How to read this', howToRead.map(note)),
];

const studyParts = (one: StudyCurves, mostCurves: number): Part[] => [
  conclusionsTable(one),
  ...drawnCurves(one, mostCurves).flatMap((curve) => [curveFigure(curve), universesTable(curve)]),
  valuesTable(one),
];

export const choicesTable = (studies: readonly StudyCurves[]): DataTable => ({
  title: 'Choices, the run’s own option first',
  note: 'Not varied: no answer depends on it, or only the run’s own rule was asked for.',
  words: 3,
  heads: ['Study', 'Varied', 'Not varied'],
  rows: studies.map(({ study, choices, curves }) => {
    const [varied, fixed] = [true, false].map((isVaried) =>
      variedIn(choices, curves)
        .filter(({ options }) => options.length > 1 === isVaried)
        .map(({ name, options }) => `${choiceTexts[name]}: ${options.join(', ')}`),
    ) as [string[], string[]];
    const lines = varied.length === 0 ? [missing] : varied;
    return [study, { text: lines[0] ?? missing, under: lines.slice(1) }, fixed.join('; ')];
  }),
});

/** The choices of the study and those that only some quantities depend on. */
function variedIn(choices: readonly Choice[], curves: readonly Curve[]): Choice[] {
  const found = curves.flatMap(({ findings }) => optionsTaken(findings));
  const known = new Set(choices.map(({ name }) => name));
  const others = new Map(found.filter(({ name }) => !known.has(name)).map((choice) => [choice.name, choice]));
  return [...choices, ...others.values()];
}

/** The choices of a quantity with the options that occur, the first universe's first. */
function optionsTaken(findings: readonly Finding[]): Choice[] {
  const names = Object.keys(findings[0]?.options ?? {}) as Choice['name'][];
  return names.flatMap((name) => {
    const [first, ...others] = [...new Set(findings.map(({ options }) => options[name] ?? ''))];
    return first === undefined ? [] : [{ name, options: [first, ...others] as const }];
  });
}

const isDifference = ({ findings: [{ isSigned }] }: Curve): boolean => isSigned;

/** The most fragile first; the widest range first among equals. */
const fragileFirst = (curves: readonly Curve[]): Curve[] =>
  curves.toSorted(
    (a, b) =>
      verdictOrder.indexOf(a.conclusion.verdict) - verdictOrder.indexOf(b.conclusion.verdict) ||
      a.subject.metric.localeCompare(b.subject.metric, 'en') ||
      b.conclusion.greatest - b.conclusion.least - (a.conclusion.greatest - a.conclusion.least),
  );

/** What holds everywhere, and what does not. */
export function conclusionsTable({ study, curves, models }: StudyCurves): DataTable {
  return {
    title: `${study}: conclusions, the most fragile first`,
    look: 'board',
    words: 4,
    heads: [
      'Model',
      'Against',
      'Metric',
      'Over all universes',
      { text: 'Own', under: 'interval' },
      { text: 'Least', aside: true },
      { text: 'Greatest', aside: true },
      { text: 'Same sign', aside: true },
      'Sure',
      { text: 'Matters most', words: true },
    ],
    rows: fragileFirst(curves.filter(isDifference)).map((curve) => {
      const { subject, own, conclusion } = curve;
      const isUp = (own?.estimate ?? conclusion.greatest + conclusion.least) >= 0;
      const hasSide = own?.estimate !== 0;
      const { positive, negative, above, below } = conclusion;
      return [
        modelCell(subject.model, curve, models),
        subject.other === null ? '0' : modelCell(subject.other, curve, models),
        metricText(subject),
        verdictText(conclusion),
        ownCell(curve),
        ...endCells(curve),
        hasSide ? percent(isUp ? positive : negative) : missing,
        hasSide ? percent(isUp ? above : below) : missing,
        effectText(curve),
      ];
    }),
  };
}

/** Values whose sign is no conclusion. */
export const valuesTable = ({ study, curves, models }: StudyCurves): DataTable => ({
  title: `${study}: values of each model`,
  words: 2,
  heads: [
    'Model',
    'Metric',
    { text: 'Own', under: 'interval' },
    'Least',
    'Greatest',
    { text: 'Matters most', words: true },
    'Universes',
  ],
  rows: curves
    .filter((curve) => !isDifference(curve))
    .map((curve) => [
      modelCell(curve.subject.model, curve, models),
      metricText(curve.subject),
      ownCell(curve),
      ...endCells(curve),
      effectText(curve),
      count(curve.conclusion.universes),
    ]),
});

function modelCell(name: string, { findings }: Curve, models: readonly string[]): DataCell {
  const place = models.indexOf(name);
  const simulated = findings.some((finding) => finding.simulated);
  return place === -1 ? { text: name } : { text: name, model: { color: modelColor(place), simulated } };
}

const digits = (unit: string): number => (unit === '%' ? 1 : 2);

const ownCell = ({ own, findings: [{ unit }] }: Curve): DataCell =>
  withRange(own?.estimate, own?.interval, digits(unit));

const endCells = ({ conclusion: { least, greatest }, findings: [{ unit }] }: Curve): DataCell[] =>
  [least, greatest].map((value) => number(value, digits(unit)));

const percent = (value: number): DataCell => ({ text: `${Math.round(100 * value)} %`, value });

/** `suites 84 %`. */
function effectText({ conclusion: { choice } }: Curve): string {
  return choice === null ? missing : `${choiceTexts[choice.choice]} ${(100 * choice.share).toFixed(0)} %`;
}

/** Differences come before signed values of one model. */
const drawnCurves = ({ curves }: StudyCurves, most: number): Curve[] =>
  fragileFirst(curves.filter(isDifference))
    .toSorted((a, b) => Number(a.subject.other === null) - Number(b.subject.other === null))
    .slice(0, most);

function curveFigure({ subject, findings, conclusion }: Curve): Figure {
  const [{ unit }] = findings;
  const simulated = findings.some((finding) => finding.simulated);
  const varied = optionsTaken(findings).filter(({ options }) => options.length > 1);
  return {
    kind: 'figure',
    wide: true,
    title: `${subjectText(subject, simulated)}: ${metricText(subject)}`,
    note:
      `Over all universes: ${verdictText(conclusion)}. In the order of their estimates, with ` +
      `${levelText(defaultLevel)} intervals; the dots below show the options of each.`,
    legend: [
      { color: sideColors[1], text: 'interval above 0' },
      { color: sideColors[0], text: 'interval includes 0' },
      { color: sideColors['-1'], text: 'interval below 0' },
    ],
    panels: [{ chart: () => Promise.resolve(curveSvg(findings, varied, unitHead(unit))) }],
  };
}

/** The numbers of a figure, in its order. */
function universesTable({ subject, findings }: Curve): DataTable {
  const varied = optionsTaken(findings).filter(({ options }) => options.length > 1);
  const [{ unit, simulated }] = findings;
  return {
    title: `Universes of ${subjectText(subject, simulated)}: ${metricText(subject)}`,
    folded: true,
    words: varied.length,
    heads: [
      ...varied.map(({ name }) => choiceTexts[name]),
      { text: `Estimate, ${unitHead(unit)}`, under: 'interval' },
      'Tasks',
      'Never asked',
      { text: 'Own', words: true },
    ],
    rows: findings
      .toSorted((a, b) => (a.estimate ?? Infinity) - (b.estimate ?? Infinity))
      .map((finding) => [
        ...varied.map(({ name }) => finding.options[name] ?? ''),
        finding.estimate === null ? number(null) : withRange(finding.estimate, finding.interval, digits(unit)),
        count(finding.tasks),
        count(finding.notAsked),
        finding.isOwn ? 'own' : '',
      ]),
  };
}

const howToRead = [
  'A universe is one combination of choices. All universes judge the same stored replies; no model was asked.',
  'A difference is the first model minus the second, on the tasks that all models share in that universe. Its ' +
    'interval is of that universe alone.',
  'Over all universes: “holds everywhere”: every interval lies on the same side of 0. “Same direction, not always ' +
    'sure”: no estimate has the opposite sign, some intervals include 0. “Direction depends”: some estimates have ' +
    'the opposite sign. “CONTRADICTED”: intervals lie on both sides of 0. “Nowhere sure”: every interval includes 0. ' +
    'A count in brackets says how many universes have an estimate at all.',
  'Same sign, Sure: shares of universes with the estimate, and the whole interval, on the own universe’s side of 0; ' +
    '– where its estimate is 0, which is on neither side. They count choices, which are not equally plausible: ' +
    'they are not probabilities.',
  'Matters most: the choice with the largest part of the estimates’ variance between its options.',
  'Never asked: cells that lack an answer, since other verdicts would have led to questions that the run did not ' +
    'ask. They count as far as they are known; a lower bound where loops go on.',
];
