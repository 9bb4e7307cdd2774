/** A child process of a benchmark that exchanges messages with it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly pid: number;
  /** Its first message. */
  readonly greeting: unknown;
  /** Sends a message and resolves with the answer. */
  ask(message: string): Promise<unknown>;
  close(): void;
}

/** Starts `./<name>.ts` and waits for its first message. Pending promises reject when the process ends. */
export async function startChild(name: string, args: readonly string[]): Promise<Child> {
  const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = fork(entry, args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with status ${code}`);
  });
  ended.catch(() => {});
  const message = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), ended]))[0];
  const greeting = await message();
  const ask = (text: string): Promise<unknown> => {
    const answer = message();
    child.send(text);
    return answer;
  };
  return { pid: child.pid ?? 0, greeting, ask, close: () => child.disconnect() };
}
