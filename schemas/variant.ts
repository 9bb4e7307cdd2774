/** Prompt variants of a task: as they are kept with a run, and as lines of a variant set's file. */
import { z } from 'zod';

export interface VariantRecord {
  /** Its name in the cell key: `d0.1-07`. */
  readonly variant: string;
  /** Name of the attack that made it; absent for other kinds of variant. */
  readonly attack?: string;
  readonly distance: number | null;
  readonly emotion: string | null;
  readonly technical: string | null;
  readonly experience: string | null;
  readonly collaboration: string | null;
  /** Condition of work; left out where the study has none. */
  readonly context?: string | null;
  /** How its detail was made (PartialOrderEval): `summary`, `mask`, ...; left out by other studies. */
  readonly augmentation?: string;
  /** Of the augmentation: word limit, share kept, share masked; null where it has no levels. */
  readonly level?: number | null;
  /** Which of a level's prompts, from 1; null where it has one. */
  readonly draw?: number | null;
  /**
   * `accepted`, `flagged` where it is asked and a person should look at it, or `missing` where no draw kept to the rules: its cells are not
   * asked.
   */
  readonly status: 'accepted' | 'flagged' | 'missing';
  /** Why draws were refused, with counts; null when the first was accepted. */
  readonly reason: string | null;
  /** Draws made. */
  readonly attempts: number;
  /** The whole prompt; null when missing. */
  readonly prompt: string | null;
  /** Word edit distance of its passages from the original's, 0 to 1; null when missing. */
  readonly editDistance: number | null;
  /** Words in its passages; null when missing. */
  readonly words: number | null;
}

const part = z.string().nullable().optional();

/** A line of a variant set's file. `task_id`, `prompt` and what tells its variants apart (distance, or variant) are needed; the others say where it comes from. */
export const variantLineSchema = z.object({
  /** Our id of the task, or the source's. */
  task_id: z.string(),
  distance: z.number().nullable().default(null),
  prompt: z.string().nullable(),
  variant: z.string().optional(),
  augmentation: part,
  status: part,
  reason: part,
  emotion: part,
  technical: part,
  experience: part,
  collaboration: part,
  context: part,
  rewriter: z.string().optional(),
  template_version: z.string().optional(),
});
export type VariantLine = z.infer<typeof variantLineSchema>;
