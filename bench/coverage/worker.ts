/** A thread of the coverage benchmark: receives the indexes of jobs and answers with their lines. */
import { parentPort, workerData } from 'node:worker_threads';
import { runJob } from './jobs.ts';

const { seed, sets } = workerData as { readonly seed: number; readonly sets: number };
parentPort?.on('message', (index: number) => parentPort?.postMessage(runJob(index, seed, sets)));
