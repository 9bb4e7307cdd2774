/**
 * Fisher's exact test, two-sided: do two shares of answers differ? The sum of the probabilities, with both totals
 * given, of all tables that are no more probable than the observed one. Example: 3 of 3 against 0 of 3 has p = 0.1.
 */
export function fisherExactP(passedA: number, nA: number, passedB: number, nB: number): number {
  const counts = [passedA, nA, passedB, nB];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || passedA > nA || passedB > nB)
    throw new Error(`fisherExactP needs counts with passed <= n, got ${counts.join(', ')}`);
  const passed = passedA + passedB;
  const [least, most] = [Math.max(0, passed - nB), Math.min(nA, passed)];
  // Probabilities relative to that of the least count, on a log scale so that none overflows.
  const logs = [0];
  for (let count = least; count < most; count += 1)
    logs.push(
      (logs.at(-1) as number) + Math.log(((nA - count) * (passed - count)) / ((count + 1) * (nB - passed + count + 1))),
    );
  const greatest = logs.reduce((found, log) => Math.max(found, log), -Infinity);
  const observed = logs[passedA - least] as number;
  const [tail, total] = logs.reduce(
    ([below, all], log) => [
      below + (log <= observed + tie ? Math.exp(log - greatest) : 0),
      all + Math.exp(log - greatest),
    ],
    [0, 0],
  );
  return Math.min(1, tail / total);
}

/** Probabilities this close on the log scale count as equal. */
const tie = 1e-7;
