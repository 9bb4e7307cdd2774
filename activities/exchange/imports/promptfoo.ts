/**
 * promptfoo's JSON output (`promptfoo eval --output results.json`), version 3 of its results: a reply per test, prompt
 * and provider. The test's variable `task_id` names the task, or the test's description or metadata of this name.
 */
import { z } from 'zod';
import { InputError } from '../../../domain/errors.ts';
import {
  allSuites,
  type ImportedAnswer,
  type ImportedFault,
  type ImportPlace,
  type ImportRequest,
  type ReadAnswers,
} from './import-format.ts';
import { jsonFile } from './json-file.ts';

const named = z.record(z.string(), z.unknown()).nullish();
const resultSchema = z.object({
  provider: z.union([
    z.string(),
    z.object({ id: z.string(), label: z.string().nullish() }).transform(({ id, label }) => label || id),
  ]),
  vars: named,
  testCase: z.object({ vars: named, description: z.string().nullish(), metadata: named }).nullish(),
  success: z.boolean(),
  error: z.string().nullish(),
  response: z
    .object({
      output: z.unknown(),
      finishReason: z.string().nullish(),
      tokenUsage: z.object({ prompt: z.int().min(0).nullish(), completion: z.int().min(0).nullish() }).nullish(),
    })
    .nullish(),
});
type Result = z.infer<typeof resultSchema>;
const outputSchema = z.object({
  results: z.object({
    version: z.literal(3, 'only results of version 3 can be read: export them with a promptfoo of 2024 or later'),
    results: z.array(resultSchema),
  }),
});

export const readPromptfoo: ReadAnswers = async function* (request) {
  const { results } = (await jsonFile(request.path, outputSchema, 'promptfoo output')).results;
  for (const [index, result] of results.entries()) {
    const at = { file: request.path, field: `results.results[${index}]` };
    yield found(result, taskOf(result, request, at), at);
  }
};

function taskOf({ vars, testCase }: Result, { columns }: ImportRequest, at: ImportPlace): string {
  const name = columns.get('task_id') ?? 'task_id';
  const given = vars?.[name] ?? testCase?.vars?.[name] ?? testCase?.metadata?.[name] ?? testCase?.description;
  if (typeof given === 'string' || typeof given === 'number') return String(given);
  throw new InputError(
    `has no variable ${name}: name the variable that holds the task with --columns task_id=NAME`,
    at,
  );
}

/** The tool records an error of a provider as a failure, too. */
function found(result: Result, taskId: string, at: ImportPlace): ImportedAnswer | ImportedFault {
  const { provider: model, response, error, success } = result;
  const output = response?.output;
  if (output == null) return { taskId, at, fault: error ?? 'no output' };
  const usage = response?.tokenUsage;
  return {
    ...{ taskId, at, model, text: outputText(output, at), holds: 'reply' },
    ...(response?.finishReason != null && { finishReason: response.finishReason }),
    ...(usage?.prompt != null && { inputTokens: usage.prompt }),
    ...(usage?.completion != null && { outputTokens: usage.completion }),
    recorded: [{ by: 'promptfoo', suite: allSuites, passed: success }],
  };
}

/** A provider may answer with a JSON value in place of a text. */
function outputText(output: unknown, at: ImportPlace): string {
  if (typeof output === 'string') return output;
  try {
    return JSON.stringify(output);
  } catch (error) {
    if (error instanceof RangeError) throw new InputError('has an output that is nested too deeply', at);
    throw error;
  }
}
