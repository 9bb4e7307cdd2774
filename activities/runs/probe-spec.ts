/**
 * Checks every account that a spec uses before anything is created: its variables,
 * and whether its endpoint can be asked.
 */
import { canonicalJson } from '../../domain/ids.ts';
import { InputError } from '../../domain/errors.ts';
import { nameList } from '../../domain/name-list.ts';
import { specPlace } from '../../domain/spec/spec-place.ts';
import type { Spec, SpecAccount } from '../../schemas/spec.ts';
import { accountProviders } from '../providers/index.ts';
import { probeEndpoint } from '../providers/probe.ts';
import { readSecret } from '../providers/secret.ts';
import { askedModels } from './spec-faults.ts';

/** With this, the command fails well within ten seconds. */
const probeLimitMs = 5_000;
const wayOut = '`--no-probe`, or `probe: false` on the provider, skips this check';

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

/**
 * Throws `InputError` with line and remedy of every account that cannot be asked.
 * Simulated and replayed models need no account.
 */
export async function checkAccounts(probed: ProbedSpec, env: NodeJS.ProcessEnv): Promise<void> {
  const faults = (await probeAccounts(probed, env)).flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) throw new InputError([...faults.map((fault) => faultText(probed, fault)), wayOut].join('\n'));
}

export function faultText({ text, path }: ProbedSpec, { at, rule }: AccountFault): string {
  const { line, column } = specPlace(text, at);
  return `${path}:${line}:${column}  ${at.join('.')}: ${rule}`;
}

/** Entries of `providers` with the same endpoint and variables are probed once. */
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
      const key = canonicalJson({
        kind: account.kind,
        baseUrl,
        apiKeyEnv: apiKeyEnv ?? null,
        headersEnv: headersEnv ?? null,
      });
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
  const sentFor = (variable: string): string => {
    const secret = readSecret(variable, env);
    return 'value' in secret ? secret.value : '';
  };
  for (const { variable, at } of named) {
    const secret = readSecret(variable, env);
    if ('value' in secret) continue;
    const rule =
      `the environment variable ${variable} ${secret.fault}, and ${nameList(served)} cannot be asked without it; ` +
      `export ${variable}=...`;
    return { at: ['providers', provider, ...at], rule };
  }
  const secrets = Object.entries(headersEnv).map(([header, variable]) => [header, sentFor(variable)] as const);
  const { probed, authorization } = accountProviders[account.kind];
  const key = apiKeyEnv === undefined ? {} : authorization(sentFor(apiKeyEnv));
  const fault = await probeEndpoint(
    { baseUrl, headers: { ...key, ...Object.fromEntries(secrets) } },
    probed,
    probeLimitMs,
  );
  if (fault === null) return null;
  const at = fault.key === 'apiKeyEnv' && apiKeyEnv === undefined ? 'baseUrl' : fault.key;
  const rule = fault.key === at ? fault.rule : `${baseUrl} answers 401: the endpoint requires a key; ${nameKey}`;
  return { at: ['providers', provider, at], rule };
}

const nameKey = 'set apiKeyEnv to the name of the environment variable that holds it';
