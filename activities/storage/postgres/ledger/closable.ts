import type { Ledger } from '../../ledger/ledger.ts';

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** A ledger with these methods; `close` waits for what was asked before. */
export function closable(methods: Omit<Ledger, 'close'>): Ledger {
  const underWay = new Set<Promise<unknown>>();
  const counted = (method: Method): Method =>
    function ask(...values) {
      const answer = method(...values);
      underWay.add(answer);
      const over = (): boolean => underWay.delete(answer);
      answer.then(over, over);
      return answer;
    };
  const entries = Object.entries(methods).map(([name, method]) => [name, counted(method as Method)]);
  return {
    ...(Object.fromEntries(entries) as Omit<Ledger, 'close'>),
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}
