/**
 * OpenAI's human-eval: samples, or the file of results that its evaluation writes beside them (`..._results.jsonl`),
 * whose lines also have `passed`. Its program is the prompt and the completion
 * (human_eval/execution.py, check_correctness).
 */
import type { ReadAnswers } from './import-format.ts';
import { sampleLines } from './sample-lines.ts';

export const readHumanEval: ReadAnswers = ({ path }) =>
  sampleLines(path, {
    completion: 'continuation',
    solution: 'program',
    recorded: ({ passed }) => (passed == null ? [] : [{ by: 'human-eval', suite: 'base', passed }]),
  });
