/** Path of the starter benchmark, the same in a clone and in the published package. */
import { fileURLToPath } from 'node:url';

export const starterBenchmark: string = fileURLToPath(new URL('../data/starter/starter.jsonl', import.meta.url));
