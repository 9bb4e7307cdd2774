/** Looks at every account that a spec uses before anything is made: its variables, and whether its endpoint can be asked. */
import { canonicalJson } from '../domain/ids.ts';
import { InputError } from '../domain/errors.ts';
import { nameList } from '../domain/name-list.ts';
import { specPlace } from '../domain/spec/spec-place.ts';
import type { Spec, SpecAccount } from '../schemas/spec.ts';
import { probeEndpoint } from './providers/probe.ts';
import { askedModels } from './spec-faults.ts';

/** Together with the command's own start well under ten seconds. */
const probeLimitMs = 5_000;
const wayOut = '`--no-probe`, or `probe: false` on the provider, leaves this look out';

export interface ProbedSpec {
  readonly spec: Spec;
  readonly text: string;
  /** As the user gave it. */
  readonly path: string;
}

export interface ProbedAccount {
  readonly provider: string;
  readonly baseUrl: string;
  readonly fault: AccountFault | null;
}

interface AccountFault {
  readonly at: readonly string[];
  readonly rule: string;
}

/** Throws `InputError` that names line and remedy of every account that cannot be asked. Simulated and replayed models need none. */
export async function checkAccounts(probed: ProbedSpec, env: NodeJS.ProcessEnv): Promise<void> {
  const faults = (await probeAccounts(probed, env)).flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) throw new InputError([...faults.map((fault) => faultText(probed, fault)), wayOut].join('\n'));
}

export function faultText({ text, path }: ProbedSpec, { at, rule }: AccountFault): string {
  const { line, column } = specPlace(text, at);
  return `${path}:${line}:${column}  ${at.join('.')}: ${rule}`;
}

/** Entries of `providers` that are the same endpoint with the same variables are looked at once. */
export async function probeAccounts({ spec }: ProbedSpec, env: NodeJS.ProcessEnv): Promise<ProbedAccount[]> {
  const looks = new Map<string, Promise<AccountFault | null>>();
  const models = askedModels(spec);
  const used = Object.entries(spec.providers).flatMap(([provider, account]) => {
    const served = models.filter((model) => model.provider === provider).map(({ id }) => id);
    return served.length === 0 || account.probe === false ? [] : [{ provider, account, served }];
  });
  return Promise.all(
    used.map(async ({ provider, account, served }) => {
      const { baseUrl, apiKeyEnv, headersEnv } = account;
      const key = canonicalJson({ baseUrl, apiKeyEnv: apiKeyEnv ?? null, headersEnv: headersEnv ?? null });
      const look = looks.get(key) ?? accountFault(provider, account, served, env);
      looks.set(key, look);
      return { provider, baseUrl, fault: await look };
    }),
  );
}

async function accountFault(
  provider: string,
  account: SpecAccount,
  served: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<AccountFault | null> {
  const { baseUrl, apiKeyEnv, headersEnv = {} } = account;
  const named = [
    ...(apiKeyEnv === undefined ? [] : [{ at: ['apiKeyEnv'], variable: apiKeyEnv }]),
    ...Object.entries(headersEnv).map(([header, variable]) => ({ at: ['headersEnv', header], variable })),
  ];
  const unset = named.find(({ variable }) => !env[variable]);
  if (unset !== undefined) {
    const rule = `the environment variable ${unset.variable} is not set, and ${nameList(served)} cannot be asked without it; export ${unset.variable}=...`;
    return { at: ['providers', provider, ...unset.at], rule };
  }
  const secrets = Object.entries(headersEnv).map(([header, variable]) => [header, env[variable] ?? ''] as const);
  const authorization = apiKeyEnv === undefined ? {} : { authorization: `Bearer ${env[apiKeyEnv]}` };
  const fault = await probeEndpoint({ baseUrl, headers: { ...authorization, ...Object.fromEntries(secrets) } }, probeLimitMs);
  if (fault === null) return null;
  const key = fault.key === 'apiKeyEnv' && apiKeyEnv === undefined ? 'baseUrl' : fault.key;
  const needsKey = fault.key !== key ? '; name the variable that holds its key in apiKeyEnv' : '';
  return { at: ['providers', provider, key], rule: `${fault.rule}${needsKey}` };
}
