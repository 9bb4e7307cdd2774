/**
 * Tables of a saved multiverse. They belong to no run: `multiverse --save` writes them to a folder, and `query` reads
 * that folder.
 */
import { bool, float, int, interval, type Table, text } from './column.ts';

const fixed = { nullWhen: 'the quantity does not depend on it' };

/** As a difference of groups of models, of which too few have no interval. */
const few = { ends: 'there is no estimate, or too few tasks or models for an interval' };

/** The choices of an analysis: a column each. */
export const choiceColumns = {
  extraction: text('Which code of a reply counts: paper, last-defining or strict.', fixed),
  suites: text('Suites that a program must pass: all, or the name of one.', fixed),
  limits: text(
    'A program that a limit of time, memory or output stopped: failed, passed, or judged again with another time ' +
      'limit, such as 4000 ms.',
    fixed,
  ),
  excluded: text("What evenkeel's limits prevented from being judged: excluded, or failed.", fixed),
  delta_unit: text('Unit of |delta pass|: task, distance or emotion.', fixed),
  confidence_definition: text(
    "A sample's confidence, from its tokens' probabilities: geometric mean, arithmetic mean, least or product.",
    fixed,
  ),
  scoring: text('Scoring of a chain: squares or counts.', fixed),
};

export type ChoiceName = keyof typeof choiceColumns;
export const choiceNames = Object.keys(choiceColumns) as ChoiceName[];

/** Identifies a quantity. */
const subject = {
  study: text('Study, by its name in the spec.'),
  benchmark: text('Benchmark, by its name in the spec.'),
  metric: text('Metric, by its name in policies of `gate`; or overconfidence, delta_pass_size, delta_pass_family.'),
  dimension: text('Requirement, level of detail, method, or function-only.'),
  workflow: text('How the code was made; the dimension if the study has no workflows.'),
  model: text('Model id, or group of models.'),
  other_model: text('The model or group that is subtracted.', { nullWhen: 'the value is of the model alone' }),
};
const subjectNames = Object.keys(subject);

export const multiverseTables = {
  multiverse: {
    name: 'multiverse',
    meaning: 'One row per quantity and universe, that is, combination of choices.',
    schemaVersion: 1,
    key: [...subjectNames, 'universe'],
    columns: {
      ...subject,
      universe: int("Number of the combination among those of the quantity; 0 is the run's own."),
      ...choiceColumns,
      ...interval('estimate', 'Value of the model, or model minus other model', few),
      unit: text('Unit of the estimate.'),
      reason: text('Why the estimate, or its interval, is null.', { nullWhen: 'neither is null' }),
      n_tasks: int('Tasks that count.'),
      n_not_asked: int(
        "Cells of the row's models that lack an answer, since the run never asked: each counts as far as it is " +
          'known, so a value of one model is then a lower bound where loops go on (in asl: similarity 0).',
      ),
      confidence: float('Confidence level of the interval, in this universe alone.'),
      simulated: bool('True when a model is simulated.'),
    },
  },
  multiverse_conclusions: {
    name: 'multiverse_conclusions',
    meaning: 'One row per quantity: what holds over all universes, and which choice matters most.',
    schemaVersion: 1,
    key: subjectNames,
    columns: {
      ...subject,
      conclusion: text(
        'holds (apart from 0 on the same side everywhere), same_direction (apart from 0 on one side, no estimate on ' +
          'the other), reverses (apart from 0 on one side, some estimates on the other), contradicts (apart from 0 ' +
          'on both sides) or open (apart from 0 nowhere).',
        { nullWhen: 'the sign of the value means nothing' },
      ),
      ...interval('own', "Estimate in the run's own universe", few),
      unit: text('Unit of the estimates.'),
      reason: text('Why own, or its interval, is null.', { nullWhen: 'neither is null' }),
      least: float('Least estimate of any universe.'),
      greatest: float('Greatest estimate of any universe.'),
      share_positive: float('Share of universes with an estimate above 0.'),
      share_negative: float('Share of universes with an estimate below 0.'),
      share_above: float('Share of universes whose whole interval is above 0.'),
      share_below: float('Share of universes whose whole interval is below 0.'),
      choice: text('The choice that matters most.', { nullWhen: 'all universes have the same estimate' }),
      choice_share: float("Part of the estimates' variance that lies between its options.", {
        nullWhen: 'choice is null',
      }),
      choice_shift: float('Largest minus smallest mean of its options, in the unit.', { nullWhen: 'choice is null' }),
      confidence: float('Confidence level of each single interval.'),
      n_universes: int('Universes with an estimate: only they count in the other columns.'),
      n_missing: int('Universes without one, such as asl where no judge was asked about a break of one of the models.'),
      simulated: bool('True when a model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
