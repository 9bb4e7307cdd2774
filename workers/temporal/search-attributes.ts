/** Registers the names by which workflows are found in Temporal, where the server allows it. */
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../schemas/search-attributes.ts';

export const runKey = defineSearchAttributeKey(searchAttributes.run, SearchAttributeType.KEYWORD);

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const keyword = 2;

/** Time limit for an answer: without these names a sweep is only harder to find. */
const limitMs = 5_000;

/**
 * Whether the server has the names now. If it cannot be asked for them or refuses them, says so in one line.
 */
export async function hasSearchAttributes(client: Client, onLine: (line: string) => void): Promise<boolean> {
  const { operatorService } = client.connection;
  const namespace = client.options.namespace;
  const names = Object.values(searchAttributes);
  try {
    return await client.connection.withDeadline(Date.now() + limitMs, async () => {
      const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
      const missing = names.filter((name) => customAttributes[name] === undefined);
      if (missing.length > 0)
        await operatorService.addSearchAttributes({
          namespace,
          searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
        });
      return true;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onLine(
      `note: the Temporal server does not take ${names.join(' and ')}, so its list of workflows cannot be searched ` +
        `by run or model: ${reason}`,
    );
    return false;
  }
}

/** Names that were registered a moment ago are not yet known to every process of a cluster. */
export const isUnknownAttribute = (error: unknown): boolean =>
  error instanceof Error && /search attribute/i.test(`${error.message} ${String(error.cause)}`);
