import { dirname } from 'node:path';

/** The repository. */
export const root = dirname(import.meta.dirname);
