/** One reply under several rules, and a recording under all of them. */
import { expect, test } from 'vitest';
import type { ChatReply } from '../../schemas/chat.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { ExtractionName } from '../../schemas/spec/fields.ts';
import type { Task } from '../../schemas/task.ts';
import { codeFor, wordsIn } from '../../studies/code-of.ts';

const task = { entryPoint: 'f', language: 'python', prompt: 'Write f.\nassert f() == 1\n"""' } as Task;
const by = (extraction?: ExtractionName): SpecStudy => ({ kind: 'evaloop', extraction }) as SpecStudy;
const reply = (text: string, extracted?: true): ChatReply => ({ text, ...(extracted && { extracted }) }) as ChatReply;
const two = '```python\ndef f():\n    return 0\n```\n```python\ndef f():\n    return 1\n```';

test('the same reply gives another program under another rule, in any order', () => {
  const answer = { reply: reply(two), status: 'ok' } as const;
  const values = (['paper', 'last-defining', 'paper', undefined, 'strict'] as const).map((rule) =>
    codeFor(by(rule), task, answer),
  );
  expect(values.map(({ code }) => code?.at(-2) ?? null)).toEqual(['0', '1', '0', '1', null]);
  const rules = ['paper-evaloop-1', 'last-defining-3', 'paper-evaloop-1', 'last-defining-3', 'strict-1'];
  expect(values.map(({ rule }) => rule)).toEqual(rules);
  // Another reply with the same words.
  expect(codeFor(by('strict'), task, { reply: reply(two), status: 'ok' }).code).toBeNull();
});

test('recorded code that is already extracted is used unchanged under every rule', () => {
  for (const rule of ['paper', 'last-defining', 'strict'] as const) {
    const answer = { reply: reply(two, true), status: 'ok' } as const;
    expect(codeFor(by(rule), task, answer)).toEqual({ code: two, how: 'recorded', rule: 'as-is-1' });
    expect(wordsIn(by(rule), { reply: reply('<think>\n\nwrite it', true), status: 'ok' })).toBe('<think>\n\nwrite it');
  }
  // The same words as a raw reply.
  expect(codeFor(by('last-defining'), task, { reply: reply(two), status: 'ok' }).code).toBe('def f():\n    return 1\n');
});
