import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { hasSearchAttributes, isUnknownAttribute } from '../../../workers/temporal/search-attributes.ts';

interface Names {
  readonly customAttributes: Record<string, number>;
}

/** A client of a server that has the names of `known`. */
function clientOf(known: readonly string[], add: (names: string[]) => Promise<void>): Client {
  const operatorService = {
    listSearchAttributes: (): Promise<Names> =>
      Promise.resolve({ customAttributes: Object.fromEntries(known.map((name) => [name, 2])) }),
    addSearchAttributes: ({ searchAttributes }: { searchAttributes: Record<string, number> }) =>
      add(Object.keys(searchAttributes)),
  };
  const connection = { operatorService, withDeadline: <T>(_at: number, ask: () => Promise<T>): Promise<T> => ask() };
  return { connection, options: { namespace: 'default' } } as unknown as Client;
}

test('only names that the server lacks are registered', async () => {
  const added: string[] = [];
  const client = clientOf(['EvenkeelRun'], async (names) => void added.push(...names));
  const lines: string[] = [];
  expect(await hasSearchAttributes(client, (line) => lines.push(line))).toBe(true);
  expect(added).toEqual(['EvenkeelModel']);
  expect(lines).toEqual([]);
});

test('a server that refuses them is named once, and the sweep goes without', async () => {
  const client = clientOf([], () => Promise.reject(new Error('Request unauthorized.')));
  const lines: string[] = [];
  expect(await hasSearchAttributes(client, (line) => lines.push(line))).toBe(false);
  expect(lines).toEqual([
    'note: the Temporal server does not take EvenkeelRun and EvenkeelModel, so its list of workflows cannot be ' +
      'searched by run or model: Request unauthorized.',
  ]);
});

test('a name that a process of the server does not know yet is told from other refusals', () => {
  const cause = new Error('3 INVALID_ARGUMENT: no mapping defined for search attribute EvenkeelRun');
  expect(isUnknownAttribute(new Error('Failed to start Workflow', { cause }))).toBe(true);
  expect(isUnknownAttribute(new Error('Failed to start Workflow', { cause: new Error('unavailable') }))).toBe(false);
});
