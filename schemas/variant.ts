/** Prompt variants of a task: as stored with a run, and as lines of a variant set file. */
import { z } from 'zod';

export interface VariantRecord {
  /** Name of the variant in the cell key, e.g. `d0.1-07`. */
  readonly variant: string;
  /** Name of the attack that made it; absent for other kinds of variant. */
  readonly attack?: string;
  readonly distance: number | null;
  readonly emotion: string | null;
  readonly technical: string | null;
  readonly experience: string | null;
  readonly collaboration: string | null;
  /** Working condition; absent if the study has none. */
  readonly context?: string | null;
  /** How its level of detail was made: `summary`, `mask`, ...; absent in other studies. */
  readonly augmentation?: string;
  /** Level of the augmentation: word limit, share kept or share masked; null if it has no levels. */
  readonly level?: number | null;
  /** Which of the level's prompts, from 1; null if the level has only one. */
  readonly draw?: number | null;
  /**
   * `accepted`; `flagged`: it is asked, and a person should review it; `missing`: no draw followed the rules, so its
   * cells are not asked.
   */
  readonly status: 'accepted' | 'flagged' | 'missing';
  /** Why draws were rejected, with counts; null if the first was accepted. */
  readonly reason: string | null;
  /** Draws made. */
  readonly attempts: number;
  /** The whole prompt; null if missing. */
  readonly prompt: string | null;
  /** Word edit distance between its passages and the original's, 0 to 1; null if missing. */
  readonly editDistance: number | null;
  /** Words in its passages; null if missing. */
  readonly words: number | null;
}

const part = z.string().nullable().optional();

/**
 * A line of a variant set file. `task_id`, `prompt`, and `distance` or `variant` are required; the others describe the
 * variant's origin.
 */
export const variantLineSchema = z.object({
  /** Evenkeel's id of the task, or the benchmark's. */
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
