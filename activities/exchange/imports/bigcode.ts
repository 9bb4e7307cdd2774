/**
 * Generations of bigcode-evaluation-harness: a JSON list with a list of programs per task, in the order of the
 * benchmark (bigcode_eval/evaluator.py, `save_generations_path`). They are extracted already. The file has no ids, so
 * the benchmark gives them.
 */
import { z } from 'zod';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import type { ReadAnswers } from './import-format.ts';
import { jsonFile } from './json-file.ts';

const schema = z.array(z.array(z.string(), 'expected the list of programs of one task'));

export const readBigcode: ReadAnswers = async function* ({ path, tasks }) {
  const generations = await jsonFile(path, schema, 'bigcode generations');
  if (tasks === null)
    throw new InputError('is required: the file has no task ids, they follow from the order of the benchmark', {
      field: '--benchmark',
    });
  if (generations.length > tasks.length)
    throw new InputError(
      `has ${counted(generations.length, 'list')}; the benchmark has only ${counted(tasks.length, 'task')}`,
      { file: path, field: `[${tasks.length}]` },
    );
  for (const [index, programs] of generations.entries())
    for (const [sample, text] of programs.entries())
      yield {
        taskId: tasks[index]?.sourceTaskId ?? '',
        at: { file: path, field: `[${index}][${sample}]` },
        text,
        holds: 'program',
      };
};
