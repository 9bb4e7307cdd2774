/** Memory that evenkeel may use here: of the machine, or of the container or control group in which it runs. */
import { freemem, totalmem } from 'node:os';

/** A study of 270 cells was ended by the kernel in 400 MiB and came to its end in 550 and in 700 MiB. */
const enoughBytes = 0.75 * 2 ** 30;

/** For `doctor`, e.g. "22.1 GiB of memory free". */
export function describeMemory(limitBytes: number = ownLimit(), totalBytes: number = totalmem()): string {
  return limitBytes < totalBytes
    ? `${gib(limitBytes)} of memory (the limit of its container or control group)`
    : `${gib(freemem())} of memory free`;
}

/** What is wrong and what to do; null if there is enough. */
export function memoryFault(limitBytes: number = ownLimit(), totalBytes: number = totalmem()): string | null {
  if (Math.min(limitBytes, totalBytes) >= enoughBytes) return null;
  return `a run takes up to ${gib(enoughBytes)} of memory, and each program up to 0.5 GiB more: allow it more`;
}

/** 0 means that there is no limit, or that it is not known. */
const ownLimit = (): number => process.constrainedMemory() || Number.POSITIVE_INFINITY;

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2).replace(/0$/, '')} GiB`;
