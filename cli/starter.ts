/** Where the starter benchmark lies: in a clone and, in the same place, in the published package. */
import { fileURLToPath } from 'node:url';

export const starterBenchmark: string = fileURLToPath(new URL('../data/starter/starter.jsonl', import.meta.url));
