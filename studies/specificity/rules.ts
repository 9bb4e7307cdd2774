/** Rules of PartialOrderEval. */
import type { Fault } from '../../domain/spec/faults.ts';
import { taxonomySchema } from '../../schemas/taxonomy.ts';
import type { StudyRules } from '../rules.ts';
import { labelRuns } from './labels.ts';
import { positionsOf, rolesOf, type SpecificityStudy } from './settings.ts';

export const specificityRules: StudyRules<SpecificityStudy> = {
  roleSettings: ({ settings: { writer, summarizer, checker, labeller, secondLabeller } }) => [
    { setting: 'writer', model: writer, without: 'rules' },
    { setting: 'summarizer', model: summarizer, without: 'rules' },
    { setting: 'checker', model: checker, without: 'none' },
    { setting: 'labeller', model: labeller, without: 'none' },
    { setting: 'secondLabeller', model: secondLabeller, without: 'none' },
  ],
  fileSettings: ({ settings: { variantSet, taxonomy } }) => [
    ...(variantSet === undefined ? [] : [{ setting: 'variantSet', file: variantSet }]),
    ...(typeof taxonomy === 'string' ? [{ setting: 'taxonomy', file: taxonomy }] : []),
  ],
  faults: ({ settings }) => [...repeatedLevels(settings), ...repeatedLabeller(settings)],
  writtenOut: [{ setting: 'taxonomy', what: 'taxonomy', schema: taxonomySchema }],
  assumptions: (studies) => studies.map(assumptionOf),
};

/** A level that is listed twice would have each prompt, answer and row twice. */
const repeatedLevels = (settings: SpecificityStudy['settings']): Fault[] =>
  (['wordLimits', 'ratios', 'maskRatios'] as const).flatMap((setting) =>
    settings[setting].flatMap((value, place, all) =>
      all.indexOf(value) < place
        ? [{ path: ['settings', setting, place], rule: `lists ${value} a second time; each level is asked once` }]
        : [],
    ),
  );

/** Two labellings by one model would have one key. */
const repeatedLabeller = ({ labeller, secondLabeller }: SpecificityStudy['settings']): Fault[] =>
  secondLabeller !== 'none' && secondLabeller === labeller
    ? [
        {
          path: ['settings', 'secondLabeller'],
          rule: `"${secondLabeller}" is the labeller itself; name another model, or raise labelPasses`,
        },
      ]
    : [];

/** The calls before the study itself, and the assumptions about their number. */
function assumptionOf({ name, settings }: SpecificityStudy): string {
  const prompts = positionsOf(settings).length;
  const { writer, checker, summarizer } = rolesOf(settings);
  const labels = labelRuns(settings).length;
  const parts = [
    `${prompts} prompts per task, all counted, although equal texts of a task are asked only once`,
    ...(writer === null ? [] : [`one maximal prompt is written, at most ${settings.maxDraws}`]),
    ...(checker === null ? [] : ['each is solved once by the checker']),
    ...(summarizer === null ? [] : [`one answer a word limit, at most ${settings.summaryAsks}`]),
    ...(labels === 0
      ? []
      : [
          `every summary is labelled ${labels} ${labels === 1 ? 'time' : 'times'}, with up to ` +
            `${settings.labelAsks} questions`,
        ]),
    'a maximal description is as long as one from the rules; a prompt set that already exists on this machine ' +
      'is reused without calls',
  ];
  return `specificity, study ${name}: ${parts.join('; ')}`;
}
