import { describe, expect, it } from 'vitest';
import { summaryText } from '../../../domain/extraction/summary-text.ts';

describe('summaryText', () => {
  it.each<readonly [string, string, string | null]>([
    ['is the reply, trimmed', '\n Write a function that adds.\n\n', 'Write a function that adds.'],
    [
      'cuts nothing of the text',
      'Summary:\n- adds\n- returns\n\nNote: **ok**',
      'Summary:\n- adds\n- returns\n\nNote: **ok**',
    ],
    ['is without thoughts', '<think>what is it</think>\nIt adds.', 'It adds.'],
    ['is without thoughts that were never opened', 'what is it\n</think>\n\nIt adds.', 'It adds.'],
    ['is without an enclosing fence', '```\nIt adds.\n```', 'It adds.'],
    ['is without an enclosing fence that has a tag or no end', '```text\nIt adds.\nTwice.', 'It adds.\nTwice.'],
    ['keeps a fence that is only a part', 'It adds:\n```\na + b\n```', 'It adds:\n```\na + b\n```'],
    ['keeps several fences', '```\na\n```\n```\nb\n```', '```\na\n```\n```\nb\n```'],
    ['keeps docstring quotes', '"""\nIt adds.\n"""', '"""\nIt adds.\n"""'],
    ['has line feeds only', 'It\r\nadds.', 'It\nadds.'],
    ['is null for nothing', '  \n', null],
    ['is null for thoughts only', '<think>hm', null],
    ['is null for an empty fence', '```\n\n```', null],
  ])('%s', (_name, reply, summary) => {
    expect(summaryText(reply)).toBe(summary);
  });
});
