import { fileURLToPath } from 'node:url';

/** The program, to be started as a process of its own. */
export const mainFile: string = fileURLToPath(new URL('../../../../../cli/main.ts', import.meta.url));
