/** EVALOOP's public trajectory files: one JSON document per model, tasks grouped by the number of sustained loops. */
import { z } from 'zod';

const cycle = z.looseObject({
  /** The model's answer to the code prompt of this loop. */
  code_output: z.string().nullish(),
  /** Its answer to the summary prompt, or the whole prompt made from it; may be missing if the code failed. */
  summary_output: z.string().nullish(),
});

const trajectory = z.looseObject({
  task_id: z.union([z.string(), z.int()]).transform(String),
  initial_prompt: z.string().optional(),
  cycles: z.array(cycle),
  /** The same number as in the group's name. */
  successful_cycles: z.int().optional(),
});

/** Tasks by group name, which contains the number of sustained loops. */
export const trajectoriesSchema = z.record(z.string(), z.array(trajectory));
export type Trajectories = z.infer<typeof trajectoriesSchema>;
