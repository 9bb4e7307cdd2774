/** The other side of a program apart: answers its parent's orders, and ends with its parent. */
import { setFlagsFromString } from 'node:v8';
import { endProcess } from './end-process.ts';
import type { Answer } from './program-apart.ts';

const send = <Result>(answer: Answer<Result>): Promise<void> =>
  new Promise((resolve) => process.send?.(answer, undefined, undefined, () => resolve()));

/** @param answer yields the results of one order; what it throws is thrown where the order was given */
export function answerOrders<Order, Result>(answer: (order: Order) => AsyncIterable<Result>): void {
  setFlagsFromString('--heap-growing-percent=60');
  process.on('message', (order: Order) => void answered(answer, order));
  process.on('disconnect', () => endProcess(0));
  // Ctrl-C in a terminal is for the parent, which ends this process or lets it finish.
  process.on('SIGINT', () => {});
}

async function answered<Order, Result>(answer: (order: Order) => AsyncIterable<Result>, order: Order): Promise<void> {
  try {
    for await (const result of answer(order)) await send({ kind: 'result', result });
    await send({ kind: 'done' });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    await send({ kind: 'fault', name, message });
  }
}
