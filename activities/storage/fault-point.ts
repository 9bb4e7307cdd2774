/**
 * For tests: with EVENKEEL_FAULT_POINT=n the process ends itself by SIGKILL at the nth point from its start that matters to what a kill leaves
 * behind: before each operation on a file of a run, before and after each commit. Without the variable a point costs one comparison.
 */
let left = Number(process.env['EVENKEEL_FAULT_POINT'] ?? 0);

export function faultPoint(): void {
  if (left === 0) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}
