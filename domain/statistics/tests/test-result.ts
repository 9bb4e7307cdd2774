/** A statistic with its two-sided p; both null, with a reason, if the test is undefined. */
export type TestResult =
  | { readonly statistic: number; readonly p: number | null; readonly n: number; readonly reason: null }
  | { readonly statistic: null; readonly p: null; readonly n: number; readonly reason: string };

export const undefinedTest = (n: number, reason: string): TestResult => ({ statistic: null, p: null, n, reason });
