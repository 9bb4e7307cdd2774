/**
 * MBPP+ in EvalPlus's file format (`MbppPlus.jsonl`, without expected outputs and some argument types), or as scripts.
 */
import { z } from 'zod';
import type { Oracle, Suite, Task, Value } from '../../schemas/task.ts';
import { argumentLists, located } from './argument-lists.ts';
import {
  type BenchmarkFormat,
  checkedRecord,
  pythonFunctionSchema,
  type RecordPlace,
  toleranceSchema,
  withRecordHash,
} from './format.ts';
import { isScriptForm, scriptFormTask } from './mbpp-plus-script.ts';
import { secondAnswerTasks, specialTasks } from './mbpp-plus-oracles.ts';
import { restoreArguments } from './mbpp-plus-types.ts';

const recordSchema = z.object({
  task_id: z.string().regex(/^Mbpp\/\d+$/, 'expected a task id of MBPP+, like Mbpp/2'),
  prompt: z.string().min(1),
  entry_point: pythonFunctionSchema,
  canonical_solution: z.string().min(1),
  base_input: z.unknown(),
  plus_input: z.unknown(),
  atol: toleranceSchema,
});
type MbppPlusRecord = z.infer<typeof recordSchema>;

export const mbppPlus: BenchmarkFormat = {
  name: 'mbpp-plus',
  suites: ['base', 'plus'],
  parseRecord(record, at) {
    return isScriptForm(record) ? scriptFormTask(record, at) : taskOf(checkedRecord(recordSchema, record, at), at);
  },
};

function taskOf(record: MbppPlusRecord, at: RecordPlace): Task {
  const number = Number(record.task_id.slice('Mbpp/'.length));
  const suite = (name: string, field: string, json: unknown): Suite => {
    const inputs = argumentLists(json, field, at, (args) => restoreArguments(number, args));
    return { name, inputs, expected: null, oracle: oracleOf(number, record.atol, inputs, field, at) };
  };
  return withRecordHash({
    taskId: `MBPP/${number}`,
    sourceTaskId: record.task_id,
    language: 'python',
    prompt: record.prompt,
    entryPoint: record.entry_point,
    reference: record.canonical_solution,
    suites: [suite('base', 'base_input', record.base_input), suite('plus', 'plus_input', record.plus_input)],
  });
}

function oracleOf(
  number: number,
  atol: number,
  inputs: readonly (readonly Value[])[],
  field: string,
  at: RecordPlace,
): Oracle {
  const secondAnswer = secondAnswerTasks.get(number);
  if (secondAnswer === undefined) return { rule: 'evalplus', atol, special: specialTasks.get(number) ?? null };
  const secondAnswers = inputs.map((args, index) => located(at, `${field}[${index}]`, () => secondAnswer(args)));
  return { rule: 'evalplus', atol, special: 'second_answer', secondAnswers };
}
