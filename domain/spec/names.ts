/** Names that must be known, and names that must differ. */
import { type Fault, knownHint } from './faults.ts';

export const unknownName = (path: Fault['path'], name: string, known: readonly string[], what: string): Fault[] =>
  known.includes(name) ? [] : [{ path, rule: `no ${what} "${name}"; ${knownHint(name, known)}` }];

export const duplicate = (path: Fault['path'], name: string | undefined): Fault => ({
  path,
  rule: `duplicate name "${name}"; names must be unique`,
});

/** Indexes whose value occurred before. */
export const duplicates = (values: readonly string[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
