/** The text of `rescore`: how many verdicts changed in each way, with the first few of each. */
import Table from 'cli-table3';
import type { MovedVerdict, RescoredModel } from '../../analysis/rescored.ts';
import { commandName } from '../command-name.ts';
import { plain } from './terminal.ts';

interface Rescored {
  readonly run: string;
  readonly rescored: string;
  readonly models: readonly RescoredModel[];
  readonly moved: readonly MovedVerdict[];
  /** Names of its studies whose tasks go on in loops. */
  readonly inLoops: ReadonlySet<string>;
}

interface Column {
  readonly head: string;
  value(model: RescoredModel): string | number;
  /** Whether it is left out where all of it is 0. Default: no. */
  readonly isRare?: boolean;
}

const columns: readonly Column[] = [
  { head: 'study', value: ({ study }) => study },
  { head: 'model', value: ({ model }) => model },
  { head: 'rule', value: ({ rule }) => rule },
  { head: 'verdicts', value: ({ compared }) => compared },
  { head: 'passed before', value: ({ passedBefore }) => passedBefore },
  { head: 'now', value: ({ passedNow }) => passedNow },
  { head: 'other programs', value: ({ otherPrograms }) => otherPrograms },
  { head: 'now pass', value: ({ nowPass }) => nowPass },
  { head: 'pass no longer', value: ({ noLongerPass }) => noLongerPass },
  { head: 'excluded, now fail', value: (one) => one.nowFailExcludedBefore, isRare: true },
  { head: 'failed, now excluded', value: (one) => one.nowExcludedFailedBefore, isRare: true },
  { head: 'other outcome', value: ({ otherOutcome }) => otherOutcome, isRare: true },
  { head: 'no longer reached', value: ({ onlyBefore }) => onlyBefore },
  { head: 'newly reached', value: ({ onlyNow }) => onlyNow },
  { head: 'not asked', value: ({ notAsked }) => notAsked, isRare: true },
];

export function rescoredText({ run, rescored, models, moved, inLoops }: Rescored): string {
  const shown = columns.filter(({ isRare, value }) => isRare !== true || models.some((one) => value(one) !== 0));
  const table = new Table({ head: shown.map(({ head }) => head), style: { head: [], border: [] } });
  for (const one of models) table.push(shown.map(({ value }) => plain(String(value(one)))));
  return [
    table.toString(),
    ...excludedLines(models),
    ...moved.map(lineOf),
    `verdicts of "${plain(run)}" compared with those of "${plain(rescored)}", which has its own tables; ` +
      'no model was called',
    `all changed verdicts: ${commandName()} query ${plain(rescored)} "from moved_verdicts"`,
    ...unaskedLines(models, inLoops),
  ].join('\n');
}

/** The table counts these among those that pass. */
function excludedLines(models: readonly RescoredModel[]): string[] {
  const sum = (countOf: (one: RescoredModel) => number): number =>
    models.reduce((total, one) => total + countOf(one), 0);
  const before = sum((one) => one.nowPassExcludedBefore);
  const now = sum((one) => one.noLongerPassExcludedNow);
  return [
    ...(before === 0 ? [] : [`of those that now pass, excluded before: ${before}`]),
    ...(now === 0 ? [] : [`of those that pass no longer, excluded now: ${now}`]),
  ];
}

function unaskedLines(models: readonly RescoredModel[], inLoops: ReadonlySet<string>): string[] {
  const lacking = models.filter(({ notAsked }) => notAsked > 0);
  if (lacking.length === 0) return [];
  const loops = lacking.some(({ study }) => inLoops.has(study))
    ? '; tasks in loops count with the loops that are known'
    : '';
  return [`not asked: answers that this rule needs and the run never asked for${loops}`];
}

function lineOf({
  study,
  model,
  taskId,
  variant,
  setting,
  repetition,
  loop,
  sample,
  suite,
  before,
  now,
}: MovedVerdict): string {
  const place = [
    variant,
    ...(setting === 'default' ? [] : [setting]),
    `repetition ${repetition}`,
    `loop ${loop}`,
    `sample ${sample}`,
  ];
  return plain(`${study}, ${model}: ${taskId} (${place.join(', ')}) on ${suite}: ${before} before, ${now} now`);
}
