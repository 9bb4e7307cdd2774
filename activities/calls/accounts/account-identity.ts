import type { SpecAccount } from '../../../schemas/spec.ts';
import type { AccountIdentity } from './account-store.ts';

/** The account that an entry of a spec's `providers` names. */
export const accountIdentity = ({
  baseUrl,
  apiKeyEnv,
}: Pick<SpecAccount, 'baseUrl' | 'apiKeyEnv'>): AccountIdentity => ({
  endpoint: baseUrl.replace(/\/+$/, ''),
  keyVariable: apiKeyEnv ?? null,
});
