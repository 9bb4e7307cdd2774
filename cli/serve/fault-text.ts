import { exitStatus, explain } from '../exit-status.ts';

/** An error in words, without a stack trace: a page is no place for one. */
export function faultText(error: unknown): string {
  const { text, status } = explain(error);
  return status === exitStatus.unexpected ? String(error instanceof Error ? error.message : error) : text;
}
