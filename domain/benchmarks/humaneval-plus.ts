/** HumanEval+ in EvalPlus's file format (v0.1.10): inputs without expected outputs. */
import { z } from 'zod';
import type { Oracle, Suite, Value } from '../../schemas/task.ts';
import { argumentLists } from './argument-lists.ts';
import { type BenchmarkFormat, checkedRecord, toleranceSchema } from './format.ts';
import { humanevalFields, humanevalTask } from './humaneval.ts';

const recordSchema = z.object({
  ...humanevalFields,
  base_input: z.unknown(),
  plus_input: z.unknown(),
  atol: toleranceSchema,
});

export const humanevalPlus: BenchmarkFormat = {
  name: 'humaneval-plus',
  suites: ['base', 'plus'],
  parseRecord(record, at) {
    const checked = checkedRecord(recordSchema, record, at);
    const suite = (name: string, field: 'base_input' | 'plus_input'): Suite => {
      const inputs = argumentLists(checked[field], field, at);
      return { name, inputs, expected: null, oracle: oracleOf(checked.entry_point, checked.atol, inputs) };
    };
    return humanevalTask(checked, [suite('base', 'base_input'), suite('plus', 'plus_input')]);
  },
};

/** Task 32 (find_zero) accepts any root of the given polynomial. */
function oracleOf(entryPoint: string, atol: number, inputs: readonly (readonly Value[])[]): Oracle {
  if (entryPoint !== 'find_zero') return { rule: 'evalplus', atol, special: null };
  return {
    rule: 'evalplus',
    atol,
    special: 'polynomial_root',
    coefficients: inputs.map(([polynomial = null]) => polynomial),
  };
}
