/**
 * BigCodeBench: samples as lines with a whole program each, and the results of its evaluation, which hold the programs
 * and a status each (bigcodebench/evaluate.py).
 */
import { z } from 'zod';
import { holdsResults } from './file-content.ts';
import { allSuites, type ReadAnswers } from './import-format.ts';
import { jsonFile } from './json-file.ts';
import { sampleLines } from './sample-lines.ts';

const resultsSchema = z.object({
  eval: z.record(
    z.string(),
    z.array(z.object({ solution: z.string(), status: z.enum(['pass', 'fail', 'timeout']).nullish() })),
  ),
});

export const readBigCodeBench: ReadAnswers = async function* ({ path }) {
  if (!(await holdsResults(path)))
    return yield* sampleLines(path, { completion: 'continuation', solution: 'program', recorded: () => [] });
  const { eval: tasks } = await jsonFile(path, resultsSchema, 'BigCodeBench results');
  for (const [taskId, samples] of Object.entries(tasks))
    for (const [index, { solution, status }] of samples.entries())
      yield {
        ...{ taskId, at: { file: path, field: `eval.${taskId}[${index}]` }, text: solution, holds: 'program' },
        ...(status != null && { recorded: [{ by: 'bigcodebench', suite: allSuites, passed: status === 'pass' }] }),
      };
};
