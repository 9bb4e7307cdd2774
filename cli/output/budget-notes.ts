/** What `run` says where the budget of a run that exists is not, or was not, what its spec says. */
import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { commandName } from '../command-name.ts';
import { budgetUsd } from '../follow/watch-screen.ts';

/** @param before null for a new run */
export function budgetNotes(
  runId: string,
  { budget: stated }: Pick<Spec, 'budget'>,
  before: Manifest | null,
  { spec: { budget: now } }: Pick<Manifest, 'spec'>,
): string[] {
  if (before === null) return [];
  const old = before.spec.budget;
  if (!isDeepStrictEqual(old, now))
    return [`note: the budget of run "${runId}" is ${textOf(now)} now, as the spec says; it was ${textOf(old)}`];
  if (isDeepStrictEqual(stated, now)) return [];
  return [
    `note: the budget of run "${runId}" is ${textOf(now)}, as set by \`${commandName()} budget\`; ` +
      `the spec still says ${textOf(stated)}`,
  ];
}

const textOf = (budget: Spec['budget']): string => (budget === undefined ? 'without limit' : limitsText(budget));

/** `$5.00 and 10,000 tokens`. */
export function limitsText({ usd, tokens }: NonNullable<Spec['budget']>): string {
  return [
    ...(usd === undefined ? [] : [budgetUsd(usd)]),
    ...(tokens === undefined ? [] : [counted(tokens, 'token')]),
  ].join(' and ');
}
