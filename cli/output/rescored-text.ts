/** The text of `rescore`: how many verdicts changed in each direction, with the first few of each. */
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

export function rescoredText({ run, rescored, models, moved, inLoops }: Rescored): string {
  const head = [
    'study',
    'model',
    'rule',
    'verdicts',
    'passed before',
    'now',
    'other programs',
    'now pass',
    'pass no longer',
  ];
  const isLacking = models.some(({ notAsked }) => notAsked > 0);
  const table = new Table({
    head: [...head, 'no longer reached', 'newly reached', ...(isLacking ? ['not asked'] : [])],
    style: { head: [], border: [] },
  });
  for (const one of models) {
    const counts = [one.compared, one.passedBefore, one.passedNow, one.otherPrograms, one.nowPass, one.noLongerPass];
    table.push(
      [
        ...[one.study, one.model, one.rule, ...counts, one.onlyBefore, one.onlyNow],
        ...(isLacking ? [one.notAsked] : []),
      ].map((cell) => plain(String(cell))),
    );
  }
  return [
    table.toString(),
    ...moved.map(lineOf),
    `verdicts of "${plain(run)}" compared with those of "${plain(rescored)}", which has its own tables; ` +
      'no model was called',
    `all changed verdicts: ${commandName()} query ${plain(rescored)} "from moved_verdicts"`,
    ...unaskedLines(models, inLoops),
  ].join('\n');
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
