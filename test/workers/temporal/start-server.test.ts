import { expect, test } from 'vitest';
import { spaceNote } from '../../../workers/temporal/start-server.ts';

// Red before: "did not start: it ended with 1", with an empty log, on a full disk.
test('a server that does not start on a full disk says so', () => {
  expect(spaceNote(76_000, '/runs')).toBe('\nThe disk of /runs has only 0.1 MB left: free some space.');
  expect(spaceNote(10e6, '/runs')).toBe('');
});
