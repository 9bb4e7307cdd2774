/** Values derived from a study's settings: levels, roles, and the identity of a prompt set. */
import defaultTaxonomy from '../../data/specificity/taxonomy.json' with { type: 'json' };
import type { SpecStudy } from '../../schemas/spec.ts';
import { type Taxonomy, taxonomySchema } from '../../schemas/taxonomy.ts';
import { type Position, positions } from './poset.ts';

export type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;
export type SpecificitySettings = SpecificityStudy['settings'];

/** Version of the prompts for writer, summarizer and labeller, and of the rules that replace these models. */
export const templateVersion = 'specificity-2';

/** Setting of the cells that generate a prompt set: no model under study is asked there. */
export const makingSetting = 'poset';

export const positionsOf = (settings: SpecificitySettings): Position[] => positions(settings);

export function positionOf(settings: SpecificitySettings, variant: string): Position {
  const found = positionsOf(settings).find((position) => position.variant === variant);
  if (found === undefined) throw new Error(`the study has no prompt ${variant}`);
  return found;
}

const unlessNamed = (name: string, without: string): string | null => (name === without ? null : name);

/** Ids of the models in the roles; null for a role without a model. */
export function rolesOf({ writer, summarizer, checker, labeller, secondLabeller, variantSet }: SpecificitySettings) {
  const made = variantSet === undefined;
  return {
    writer: made ? unlessNamed(writer, 'rules') : null,
    summarizer: made ? unlessNamed(summarizer, 'rules') : null,
    checker: made ? unlessNamed(checker, 'none') : null,
    labeller: unlessNamed(labeller, 'none'),
    secondLabeller: unlessNamed(secondLabeller, 'none'),
  } as const;
}

export const labellersOf = (settings: SpecificitySettings): string[] => {
  const { labeller, secondLabeller } = rolesOf(settings);
  return [labeller, secondLabeller].filter((model) => model !== null);
};

/** The model on whose pages the prompt sets are generated: the first one with a role; null if there is none. */
export const makingModel = ({ settings }: SpecificityStudy): string | null =>
  Object.values(rolesOf(settings)).find((model) => model !== null) ?? null;

/** Everything except the task that its prompts depend on. Labels do not change them. */
export function setIdentity({ settings }: SpecificityStudy): unknown {
  const {
    variantSet,
    wordLimits,
    ratios,
    maskRatios,
    draws,
    seed,
    writer,
    summarizer,
    checker,
    maxDraws,
    summaryAsks,
  } = settings;
  const shape = { kind: 'specificity', templateVersion, wordLimits, ratios, maskRatios, draws };
  if (variantSet !== undefined) return { ...shape, variantSet };
  const { writerTemperature, summarizerTemperature, roleTopP, temperature, topP, maxTokens } = settings;
  return {
    ...{ ...shape, seed, writer, summarizer, checker, maxDraws, summaryAsks },
    ...(writer === 'rules' ? {} : { writerTemperature, roleTopP }),
    ...(summarizer === 'rules' ? {} : { summarizerTemperature, roleTopP }),
    ...(checker === 'none' ? {} : { temperature, topP, maxTokens }),
  };
}

/**
 * The spec's own taxonomy, or the paper's. A path is read when the run is planned; before that, the paper's is used.
 */
export const taxonomyOf = ({ taxonomy }: SpecificitySettings): Taxonomy =>
  typeof taxonomy === 'object' ? taxonomy : paperTaxonomy;

const paperTaxonomy: Taxonomy = taxonomySchema.parse(defaultTaxonomy);
