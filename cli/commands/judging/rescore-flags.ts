/** What `rescore` is asked to change, from its options. */
import { resolve } from 'node:path';
import type { Changes } from '../../../activities/rescoring/rescored-tasks.ts';
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { benchmarkFormatNames, type JoinedSuite, judgingChange } from '../../../schemas/spec/benchmark.ts';
import { extractionNames } from '../../../schemas/spec/fields.ts';

export interface RescoreFlags {
  readonly extraction?: string;
  readonly caseLimitMs?: string;
  readonly referenceFactor?: string;
  readonly missingPackage?: string;
  readonly suites?: string;
}

/** Throws InputError with the option's name. */
export function namedChanges(flags: RescoreFlags): Changes {
  const { extraction, suites } = flags;
  return {
    extraction: extraction === undefined ? null : oneOf('--extraction', extraction, extractionNames),
    judging: {
      ...numberOf('caseLimitMs', '--case-limit-ms', 'a whole number of milliseconds, from 100 to 600000', flags),
      ...numberOf('referenceFactor', '--reference-factor', 'a number from 1 to 100', flags),
      ...(flags.missingPackage !== undefined && {
        missingPackage: oneOf('--missing-package', flags.missingPackage, ['excluded', 'failed'] as const),
      }),
    },
    suites: suites === undefined ? null : suites.split(',').map(namedSuite),
  };
}

function numberOf<Key extends 'caseLimitMs' | 'referenceFactor'>(
  key: Key,
  field: string,
  rule: string,
  flags: RescoreFlags,
): Partial<Record<Key, number>> {
  const text = flags[key];
  if (text === undefined) return {};
  const { success, data } = judgingChange.shape[key].safeParse(text.trim() === '' ? Number.NaN : Number(text));
  if (!success || data === undefined) throw new InputError(`must be ${rule}; got "${text}"`, { field });
  return { [key]: data } as Partial<Record<Key, number>>;
}

/** `plus`, or `plus=humaneval-plus:HumanEvalPlus.jsonl.gz` for tests that the run does not have. */
function namedSuite(text: string): string | JoinedSuite {
  const equals = text.indexOf('=');
  if (equals < 0) return text.trim();
  const [name, source] = [text.slice(0, equals).trim(), text.slice(equals + 1)];
  const colon = source.indexOf(':');
  if (name === '' || colon < 0)
    throw new InputError(`must be names, or name=format:file for other tests; got "${text}"`, { field: '--suites' });
  return {
    name,
    format: oneOf('--suites', source.slice(0, colon), benchmarkFormatNames),
    path: resolve(source.slice(colon + 1)),
  };
}

function oneOf<Name extends string>(field: string, text: string, known: readonly Name[]): Name {
  const name = known.find((one) => one === text);
  if (name === undefined) throw new InputError(`unknown "${text}"; ${knownHint(text, known)}`, { field });
  return name;
}

/** For the id of the new run: `strict`, `500ms`, `base`. */
export function changesName({ extraction, judging, suites }: Changes): string {
  const { caseLimitMs, referenceFactor, missingPackage } = judging;
  const names = [
    ...(extraction === null ? [] : [extraction]),
    ...(caseLimitMs === undefined ? [] : [`${caseLimitMs}ms`]),
    ...(referenceFactor === undefined ? [] : [`x${referenceFactor}`]),
    ...(missingPackage === undefined ? [] : [`missing-${missingPackage}`]),
    ...(suites ?? []).map((suite) => (typeof suite === 'string' ? suite : suite.name)),
  ];
  return names.length === 0 ? 'again' : names.join('-');
}
