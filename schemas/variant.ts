/** Prompt variants of a task: as they are kept with a run, and as lines of a variant set's file. */
import { z } from 'zod';

export interface VariantRecord {
  /** Its name in the cell key: `d0.1-07`. */
  readonly variant: string;
  readonly distance: number | null;
  readonly emotion: string | null;
  readonly technical: string | null;
  readonly experience: string | null;
  readonly collaboration: string | null;
  /** Condition of work; left out where the study has none. */
  readonly context?: string | null;
  /** `accepted`, or `missing` where no draw kept to the rules: its cells are not asked. */
  readonly status: 'accepted' | 'missing';
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

/** A line of a variant set's file. Only the first three fields are needed; the others say where it comes from. */
export const variantLineSchema = z.object({
  /** Our id of the task, or the source's. */
  task_id: z.string(),
  distance: z.number().nullable(),
  prompt: z.string().nullable(),
  variant: z.string().optional(),
  emotion: part,
  technical: part,
  experience: part,
  collaboration: part,
  context: part,
  rewriter: z.string().optional(),
  template_version: z.string().optional(),
});
export type VariantLine = z.infer<typeof variantLineSchema>;
