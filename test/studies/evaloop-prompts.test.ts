import { expect, test } from 'vitest';
import { assertLine, codePrompt, judgePrompt, nextDescription, summaryPrompt } from '../../studies/evaloop/prompts.ts';

const mbpp2 =
  '"""\nWrite a function to find the shared elements from the given two lists.\n' +
  'assert set(similar_elements((3, 4, 5, 6),(5, 7, 4, 10))) == set((4, 5))\n"""\n';

test('the code prompt holds the whole MBPP+ prompt with its quotes', () => {
  expect(codePrompt(mbpp2)).toBe(
    `Generate Python code for the following task: \n${mbpp2}\nReturn only the code, without explanations or comments.`,
  );
});

test('the assert line is the second-to-last line and comes back under every summary', () => {
  const line = 'assert set(similar_elements((3, 4, 5, 6),(5, 7, 4, 10))) == set((4, 5))';
  expect(assertLine(mbpp2)).toBe(line);
  const next = nextDescription('write a python function to share', mbpp2);
  expect(next).toBe(`"""\nwrite a python function to share\n${line}\n"""\n`);
  expect(assertLine(next)).toBe(line);
});

test("the summary prompt is the paper's initial prompt (listing 3.2)", () => {
  expect(summaryPrompt('CODE')).toBe(
    'Use one sentence to summarize the following code and start with write a python function to:\n' +
      '```\nCODE\n```\n```\nwrite a python function to\n```',
  );
});

test('the judge sees both prompts with their code (listing 2.1)', () => {
  const text = judgePrompt('p1', 'c1', 'p2', 'c2');
  expect(text).toContain('Prompt 1: p1\nGenerated Code 1: c1\n\nPrompt 2: p2\nGenerated Code 2: c2\n');
  expect(text.endsWith('\nScore:')).toBe(true);
});
