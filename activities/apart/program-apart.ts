/** A program of this project in a process of its own, for work whose memory this process would keep. */
import { type ChildProcess, fork } from 'node:child_process';

/** What the process answers to an order: any number of results, then one of the others. */
export type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'done' }
  /** `name` is that of the error, by which a person's fault is told from ours. */
  | { readonly kind: 'fault'; readonly name: string; readonly message: string };

export interface ProgramApart<Order, Result> {
  /**
   * One order at a time. Rejects with the process's error, or if it ends.
   * @param take gets each result as soon as it is there
   */
  ask(order: Order, take: (result: Result) => void): Promise<void>;
  end(): void;
}

/** @param program a file that calls `answerOrders` @param doing says what the process does, for its end */
export function openApart<Order, Result>(program: string, doing: string): ProgramApart<Order, Result> {
  // With the options of this process, which bound its memory.
  const child = fork(program, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    ask: (order, take) => asked(child, doing, order, take),
    end: () => child.kill('SIGKILL'),
  };
}

async function asked<Order, Result>(
  child: ChildProcess,
  doing: string,
  order: Order,
  take: (result: Result) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = (code: number | null, signal: string | null): void =>
    reject(new Error(`the process that ${doing} ended (${signal ?? `status ${code}`})`));
  const heard = (answer: Answer<Result>): void => {
    try {
      if (answer.kind === 'result') take(answer.result);
      else if (answer.kind === 'done') resolve();
      else reject(Object.assign(new Error(answer.message), { name: answer.name }));
    } catch (error) {
      reject(error);
    }
  };
  child.on('message', heard).once('error', reject).once('exit', ended);
  try {
    // A process that ends later says so itself.
    child.send(order as object, (error) => {
      if (error !== null && (child.exitCode ?? child.signalCode) !== null) ended(child.exitCode, child.signalCode);
    });
    await promise;
  } finally {
    child.off('message', heard).off('error', reject).off('exit', ended);
  }
}
