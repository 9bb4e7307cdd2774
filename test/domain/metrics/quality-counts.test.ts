/** Expected counts are by hand. */
import { expect, test } from 'vitest';
import { qualityCounts } from '../../../domain/metrics/quality-counts.ts';
import { solutionText } from '../../../domain/metrics/solution-text.ts';
import type { Measures, PylintMessage } from '../../../schemas/measures.ts';

const message = (id: string, category: PylintMessage['category']): PylintMessage => {
  return { id, symbol: 'some', category, line: 1, column: 0, endLine: null, endColumn: null, object: '', text: '' };
};
const messages = [
  message('C0114', 'convention'),
  message('W0611', 'warning'),
  message('C0116', 'convention'),
  message('R1705', 'refactor'),
];
const measures: Measures = {
  reason: null,
  messages,
  handlers: 2,
  raises: 1,
  loc: 12,
  service: { pylint: '3.2.5', python: '3.11.2' },
};

test('smells are R messages, unreadability C messages, exception statements handlers and raises', () => {
  expect(qualityCounts(measures)).toEqual({ codeSmells: 1, unreadability: 2, exceptionStatements: 3, loc: 12 });
});

test('a program that was not measured has no counts, even if Pylint wrote messages', () => {
  expect(qualityCounts({ ...measures, reason: 'syntax_error', handlers: null, raises: null })).toBeNull();
  expect(qualityCounts({ ...measures, reason: 'pylint_crash' })).toBeNull();
});

test('a solution ends with one line end, however its reply ended', () => {
  expect(['x = 1', 'x = 1\n', 'x = 1\r\n\n', ''].map(solutionText)).toEqual(['x = 1\n', 'x = 1\n', 'x = 1\n', '\n']);
});
