/**
 * EvalPlus 0.3: samples as lines or as folders (`HumanEval_0/0.py`), and the results of its evaluation, which hold the
 * programs and a verdict on each suite. A completion continues the prompt, a solution is a whole program
 * (evalplus/data/utils.py, load_solutions; evalplus/evaluate.py).
 */
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../../domain/errors.ts';
import { utf8Text } from '../../../domain/spec/utf8-text.ts';
import { unreadable } from '../../../domain/unreadable.ts';
import type { RecordedVerdict } from '../../../schemas/chat.ts';
import { holdsResults } from './file-content.ts';
import type { ImportedAnswer, ReadAnswers } from './import-format.ts';
import { boundedBytes, jsonFile } from './json-file.ts';
import { sampleLines } from './sample-lines.ts';

export const readEvalplus: ReadAnswers = async function* ({ path }) {
  if (await isFolder(path)) yield* folderSamples(path);
  else if (await holdsResults(path)) yield* results(path);
  else yield* sampleLines(path, { completion: 'continuation', solution: 'program', recorded: () => [] });
};

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    throw new InputError(unreadable(error), { file: path });
  }
}

const resultsName = 'eval_results.json';
/** Longest program, bytes. */
const longestProgram = 16 * 1024 * 1024;

/** With results in the folder, these are read: they have the same programs. Links are not followed. */
async function* folderSamples(folder: string): AsyncGenerator<ImportedAnswer> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && entry.name === resultsName))
    return yield* results(join(folder, resultsName));
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  let count = 0;
  for (const name of names.sort(inOrder)) {
    for (const file of await programs(join(folder, name))) {
      count += 1;
      const text = utf8Text(await boundedBytes(file, longestProgram), file);
      yield { taskId: name.replaceAll('_', '/'), at: { file }, text, holds: 'program' };
    }
  }
  if (count === 0)
    throw new InputError('has no samples: expected folders such as HumanEval_0 with 0.py', { file: folder });
}

async function programs(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.py')).map(({ name }) => name);
  return names.sort(inOrder).map((name) => join(folder, name));
}

/** 2.py before 10.py. */
const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const status = z.enum(['pass', 'fail', 'timeout']).nullish();
const sampleSchema = z.object({
  task_id: z.string().optional(),
  solution: z.string('an EvalPlus before 0.3 wrote no solutions here: import the samples instead'),
  base_status: status,
  plus_status: status,
});
const olderForm =
  'expected a list of samples, as EvalPlus 0.3 writes it: evaluate again, or import the samples instead';
const resultsSchema = z.object({ eval: z.record(z.string(), z.array(sampleSchema, olderForm)) });

async function* results(file: string): AsyncGenerator<ImportedAnswer> {
  const { eval: tasks } = await jsonFile(file, resultsSchema, `EvalPlus results (${basename(file)})`);
  for (const [taskId, samples] of Object.entries(tasks))
    for (const [index, sample] of samples.entries()) {
      const recorded = [...verdict('base', sample.base_status), ...verdict('plus', sample.plus_status)];
      const at = { file, field: `eval.${taskId}[${index}]` };
      yield { taskId, at, text: sample.solution, holds: 'program', ...(recorded.length > 0 && { recorded }) };
    }
}

/** Nothing for a suite that was not run. */
const verdict = (suite: string, found: z.infer<typeof status>): RecordedVerdict[] =>
  found == null ? [] : [{ by: 'evalplus', suite, passed: found === 'pass' }];
