import type { Json } from '@duckdb/node-api';

/** A value on its own: texts as they are, all others as JSON. */
export const cellText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
