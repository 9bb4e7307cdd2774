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
  count: z.int().min(1).optional(),
  short: z.string().max(3).optional(),
  list: z.array(z.string()).min(1).optional(),
  named: z.record(z.string().regex(/^[a-z]+$/, 'expected a name in lower case'), z.int()).optional(),
});

describe('errors in a record are described in terms of its file', () => {
  it.each([
    ['{"id": 11.0}', 'expected an integer below 2^53, got 11.0'],
    ['{"id": 12345678901234567890}', 'expected an integer below 2^53, got 12345678901234567890'],
    ['{"id": 9007199254740992}', 'expected an integer below 2^53, got 9007199254740992'],
    ['{"text": 0.5}', 'expected string, got 0.5'],
    ['{"text": NaN}', 'expected string, got nan'],
    ['{"text": ""}', 'is empty'],
    ['{"nested.name": 1, "nested": {}}', 'is missing (string)'],
    ['{"atol": "1e-6"}', 'expected a number of at least 0'],
    ['{"atol": -0.5}', 'must be at least 0, got -0.5'],
    ['{"atol": 1e999}', 'expected a finite number'],
    ['{"count": 0}', 'must be at least 1, got 0'],
    ['{"short": "abcd"}', 'must have at most 3 characters, got 4'],
    ['{"list": []}', 'must have at least 1 item'],
    ['{"named.B": 1, "named": {"B": 1}}', 'expected a name in lower case'],
  ])('%s: %s', (record, rule) => {
    const field = /"([\w.]+)"/.exec(record)?.[1];
    expect(() => checkedRecord(schema, parseExactJson(record), at)).toThrow(
      expect.objectContaining({ name: 'InputError', line: 3, field, message: expect.stringContaining(rule) }),
    );
  });
});
