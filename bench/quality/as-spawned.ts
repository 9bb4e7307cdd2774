import type { Measures } from '../../schemas/measures.ts';
import type { SpawnedMessage } from './spawned.ts';

/** Messages in the format of Pylint's JSON; null if Pylint did not finish. */
export function asSpawned(measures: Measures | undefined): SpawnedMessage[] | null {
  const messages = measures?.messages?.map(
    ({ id, category, object, text, symbol, line, column, endLine, endColumn }) => {
      return { type: category, obj: object, line, column, endLine, endColumn, symbol, message: text, 'message-id': id };
    },
  );
  return messages ?? null;
}
