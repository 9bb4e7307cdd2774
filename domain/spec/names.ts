/** Names that must be known, and names that must differ. */
import type { Fault } from './faults.ts';
import { knownHint } from '../nearest.ts';

export const unknownName = (path: Fault['path'], name: string, known: readonly string[], what: string): Fault[] =>
  known.includes(name) ? [] : [{ path, rule: `no ${what} "${name}"; ${knownHint(name, known)}` }];

export const duplicate = (path: Fault['path'], name: string | undefined): Fault => ({
  path,
  rule: `duplicate name "${name}"; names must be unique`,
});

/** Names of folders that differ only in case are one folder on macOS and Windows. */
export const alike = (path: Fault['path'], name: string, names: readonly string[]): Fault[] => {
  const other = names.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  if (other === undefined) return [];
  const rule = `"${name}" and "${other}" differ only in case, and some systems have one folder for both; rename one`;
  return [{ path, rule }];
};

/** Indexes whose value occurred before. */
export const duplicates = (values: readonly string[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
