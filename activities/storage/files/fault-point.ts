/**
 * For tests: with EVENKEEL_FAULT_POINT=n the process kills itself with SIGKILL at the nth fault point since its start.
 * Fault points are where a kill matters for what is left on disk: before each operation on a file of a run, before and
 * after each commit. Without the variable a fault point costs one comparison.
 */
let left = Number(process.env['EVENKEEL_FAULT_POINT'] ?? 0);

export function faultPoint(): void {
  if (left === 0) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}
