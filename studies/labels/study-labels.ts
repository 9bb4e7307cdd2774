/**
 * Labels of a study's prompts: themes of a taxonomy, assigned by models and checked by a person. Stored in table
 * `labels`.
 */
import type { ChatMessage } from '../../schemas/chat.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import type { VariantRecord } from '../../schemas/variant.ts';

export interface StudyLabels<S extends SpecStudy = SpecStudy> {
  /** What the labelled prompts are called, for messages: `summaries`. */
  readonly promptsAre: string;
  taxonomy(study: S): Taxonomy;
  /** Ids of the models that label; empty if nobody does. */
  labellers(study: S): readonly string[];
  /** The prompts of a task that are labelled, in the form shown to a labeller. */
  texts(study: S, task: Task, variants: readonly VariantRecord[]): readonly LabelledText[];
  /** How a model is asked to propose a taxonomy. */
  readonly proposal: TaxonomyProposal;
}

export interface LabelledText {
  readonly variant: string;
  readonly text: string;
}

export interface TaxonomyProposal {
  /** Version of the question's text. */
  readonly version: string;
  /** @param fault what was wrong with the previous answer; null the first time */
  messages(texts: readonly string[], fault: string | null): ChatMessage[];
  read(reply: string): Proposal;
}

/** Categories, or the reason why an answer holds none. */
export type Proposal =
  | { readonly categories: Taxonomy['categories']; readonly fault: null }
  | { readonly categories: null; readonly fault: string };
