/** EVALOOP's public trajectory files: one JSON document per model, tasks grouped by the loops that they sustained. */
import { z } from 'zod';

const cycle = z.looseObject({
  /** The model's answer to the code prompt of this loop. */
  code_output: z.string().nullish(),
  /** Its answer to the summary prompt, or the whole prompt made of it; may be missing where the code failed. */
  summary_output: z.string().nullish(),
});

const trajectory = z.looseObject({
  task_id: z.union([z.string(), z.int()]).transform(String),
  initial_prompt: z.string().optional(),
  cycles: z.array(cycle),
  /** As the group says. */
  successful_cycles: z.int().optional(),
});

/** Group name (it holds the number of sustained loops) to its tasks. */
export const trajectoriesSchema = z.record(z.string(), z.array(trajectory));
export type Trajectories = z.infer<typeof trajectoriesSchema>;
