import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkedRecord, toleranceSchema } from '../../../domain/benchmarks/format.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';

const at = { file: 'tasks.jsonl', line: 3, index: null };
const schema = z.object({
  id: z.int().optional(),
  text: z.string().min(1).optional(),
  nested: z.object({ name: z.string() }).optional(),
  atol: toleranceSchema.optional(),
});

describe('errors in a record are described in terms of its file', () => {
  it.each([
    ['{"id": 11.0}', 'expected an integer up to 2^53, got 11.0'],
    ['{"id": 12345678901234567890}', 'expected an integer up to 2^53, got 12345678901234567890'],
    ['{"text": 0.5}', 'expected string, got 0.5'],
    ['{"text": NaN}', 'expected string, got nan'],
    ['{"text": ""}', 'is empty'],
    ['{"nested.name": 1, "nested": {}}', 'is missing (string)'],
    ['{"atol": "1e-6"}', 'expected a number of at least 0'],
    ['{"atol": -0.5}', 'Too small: expected number to be >=0'],
  ])('%s: %s', (record, rule) => {
    const field = /"([\w.]+)"/.exec(record)?.[1];
    expect(() => checkedRecord(schema, parseExactJson(record), at)).toThrow(
      expect.objectContaining({ name: 'InputError', line: 3, field, message: expect.stringContaining(rule) }),
    );
  });
});
