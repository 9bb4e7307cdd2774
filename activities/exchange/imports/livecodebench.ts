/**
 * LiveCodeBench: the outputs of its code generation (`code_list` extracted, `output_list` as replied), its evaluation
 * (`..._eval_all.json`, with `graded_list`), and files for its custom evaluator (`question_id` and `code_list`)
 * (lcb_runner/runner/main.py; lcb_runner/lm_styles is left).
 */
import { z } from 'zod';
import type { ImportedAnswer, ReadAnswers } from './import-format.ts';
import { allSuites } from './import-format.ts';
import { jsonFile } from './json-file.ts';

const question = z
  .object({
    question_id: z.union([z.string().min(1), z.int().transform(String)]),
    code_list: z.array(z.string()).optional(),
    output_list: z.array(z.string()).optional(),
    graded_list: z.array(z.boolean()).optional(),
  })
  .refine(({ code_list, output_list }) => code_list !== undefined || output_list !== undefined, {
    error: 'has neither code_list nor output_list',
  })
  .refine(
    ({ code_list, output_list, graded_list }) =>
      graded_list === undefined || graded_list.length === (code_list ?? output_list)?.length,
    { error: 'graded_list has another length than the list of answers', path: ['graded_list'] },
  );
const schema = z.array(question, 'expected a list of questions');

export const readLiveCodeBench: ReadAnswers = async function* ({ path }) {
  const questions = await jsonFile(path, schema, 'LiveCodeBench outputs');
  for (const [index, one] of questions.entries()) {
    const { question_id: taskId, code_list: programs, output_list: replies, graded_list: graded } = one;
    for (const [sample, text] of (programs ?? replies ?? []).entries()) {
      const passed = graded?.[sample];
      const answer: ImportedAnswer = {
        taskId,
        at: { file: path, field: `[${index}].${programs === undefined ? 'output_list' : 'code_list'}[${sample}]` },
        text,
        holds: programs === undefined ? 'reply' : 'program',
        ...(passed !== undefined && { recorded: [{ by: 'livecodebench', suite: allSuites, passed }] }),
      };
      yield answer;
    }
  }
};
