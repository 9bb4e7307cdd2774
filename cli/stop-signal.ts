import { once } from 'node:events';

/** Resolves at the first Ctrl-C or SIGTERM. Called before a command says that it serves: who reads that may stop it at once. */
export const stopSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
