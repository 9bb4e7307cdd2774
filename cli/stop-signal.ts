import { once } from 'node:events';

/**
 * Resolves at the first Ctrl-C or SIGTERM. Call it before announcing that the command serves:
 * a reader may stop it at once.
 */
export const stopSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
