/** A limit of the shell on address space, which some clusters set: WebAssembly reserves far more than it uses. */
import { ownLimits } from '../../activities/storage/files/own-limits.ts';

/** Each WebAssembly memory reserves about 10 GB of addresses, and every process has several. */
const enoughBytes = 2 ** 40;

/** What is wrong and what to do; null where addresses suffice, or the system does not say. */
export function addressSpaceFault(limits: string = ownLimits()): string | null {
  const [, bytes] = /^Max address space +(\d+) /m.exec(limits) ?? [];
  if (bytes === undefined || Number(bytes) >= enoughBytes) return null;
  const found = `${(Number(bytes) / 2 ** 30).toFixed(1)} GiB`;
  return `this shell limits address space to ${found}, too little for WebAssembly: \`ulimit -v unlimited\` lifts that`;
}
