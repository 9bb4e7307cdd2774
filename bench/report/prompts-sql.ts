/** The prompts of each task of a large run, by the study's own rule. */
import { quoteText } from '../../analysis/views.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { studyOf } from '../../studies/index.ts';
import { conditionsOf, isRobunfr } from '../../studies/robunfr/steps.ts';
import { positionsOf } from '../../studies/specificity/settings.ts';

const task: Task = {
  ...{ taskId: 'MBPP/2', sourceTaskId: 'Mbpp/2', language: 'python', prompt: '', entryPoint: 'f', reference: '' },
  ...{ suites: [], recordSha256: '' },
};

/** What the study's own tables say of a variant. */
interface Facts {
  readonly dimension?: string | null;
  readonly phrasing?: string | null;
  readonly augmentation?: string;
  readonly level?: number | null;
  readonly draw?: number | null;
}

export function promptsSql(study: SpecStudy): string {
  const facts = factsOf(study);
  const rows = studyOf(study)
    .cells(study, [task], () => [task])
    .map(({ variant, setting, repetition }, place) => {
      const { dimension, phrasing, augmentation, level, draw } = facts.get(variant) ?? {};
      return `(${[place, variant, setting, repetition, dimension, phrasing, augmentation, level, draw].map(literal)})`;
    });
  return `CREATE TABLE prompts AS FROM (VALUES ${rows}) AS p(place, variant, setting, repetition, dimension,
    phrasing, augmentation, level, draw)`;
}

function factsOf(study: SpecStudy): Map<string, Facts> {
  if (isRobunfr(study)) return new Map(conditionsOf(study).map((condition) => [condition.variant, condition]));
  if (study.kind !== 'specificity') return new Map();
  return new Map(positionsOf(study.settings).map((position) => [position.variant, position]));
}

const literal = (value: string | number | null | undefined): string =>
  value == null ? 'NULL' : typeof value === 'number' ? String(value) : quoteText(value);
