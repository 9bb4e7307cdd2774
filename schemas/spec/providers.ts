/**
 * Facts about each kind of account and each built-in provider, so that no other code tests for their names. The
 * providers themselves are in activities/providers.
 */
import type { z } from 'zod';
import type { AccountKind, BuiltInName } from './account.ts';
import type { model } from './model.ts';

export interface ProviderFacts {
  /** Its calls cost money, by the model's price. */
  readonly paid: boolean;
  /** Its answers are simulated; every row of its models says so. */
  readonly simulated: boolean;
}

/** A key of a model that only one built-in provider reads. */
export interface OwnKey {
  readonly key: keyof z.infer<typeof model>;
  readonly title: string;
  readonly needed: boolean;
}

export const accountFacts: Readonly<Record<AccountKind, ProviderFacts>> = {
  openai: { paid: true, simulated: false },
  simulator: { paid: false, simulated: true },
};

export const builtInFacts: Readonly<Record<BuiltInName, ProviderFacts & { readonly ownKey: OwnKey | null }>> = {
  simulated: { paid: false, simulated: true, ownKey: { key: 'profile', title: 'profile', needed: false } },
  replay: { paid: false, simulated: false, ownKey: { key: 'file', title: 'recording', needed: true } },
};
