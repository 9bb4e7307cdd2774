/**
 * Checks every account that a spec uses before anything is created: its variables,
 * and whether its endpoint can be asked.
 */
import { canonicalJson } from '../../domain/ids.ts';
import { InputError } from '../../domain/errors.ts';
import { nameList } from '../../domain/name-list.ts';
import { specPlace } from '../../domain/spec/spec-place.ts';
import type { Spec, SpecAccount, SpecModel } from '../../schemas/spec.ts';
import { accountProviders } from '../providers/index.ts';
import { type Endpoint, pathsOfApi, probeEndpoint, type ProbedEndpoint } from '../providers/probe.ts';
import { readSecret } from '../providers/secret.ts';
import { type AccountFault, modelFaults } from './probe-models.ts';
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
  /** Of the account, or if it can be asked, of its models. */
  readonly faults: readonly AccountFault[];
}

/**
 * Throws `InputError` with line and remedy of every account and model that cannot be asked.
 * Simulated and replayed models need no account.
 */
export async function checkAccounts(probed: ProbedSpec, env: NodeJS.ProcessEnv): Promise<void> {
  const faults = (await probeAccounts(probed, env)).flatMap((account) => account.faults);
  if (faults.length > 0) throw new InputError([...faults.map((fault) => faultText(probed, fault)), wayOut].join('\n'));
}

export function faultText({ text, path }: ProbedSpec, { at, rule }: AccountFault): string {
  const { line, column } = specPlace(text, at);
  return `${path}:${line}:${column}  ${at.join('.')}: ${rule}`;
}

/** Entries of `providers` with the same endpoint and variables are probed once. */
export async function probeAccounts({ spec }: ProbedSpec, env: NodeJS.ProcessEnv): Promise<ProbedAccount[]> {
  const looks = new Map<string, Promise<Look>>();
  const asked = askedModels(spec);
  const used = Object.entries(spec.providers).flatMap(([provider, account]) => {
    const models = asked.filter((model) => model.provider === provider);
    return models.length === 0 || account.probe === false ? [] : [{ provider, account, models }];
  });
  return Promise.all(
    used.map(async ({ provider, account, models }) => {
      const { baseUrl, apiKeyEnv, headersEnv } = account;
      const key = canonicalJson({
        kind: account.kind,
        api: account.api ?? 'chat',
        baseUrl,
        apiKeyEnv: apiKeyEnv ?? null,
        headersEnv: headersEnv ?? null,
      });
      const looking = looks.get(key) ?? lookAt(provider, account, models, env);
      looks.set(key, looking);
      const look = await looking;
      const probed = { spec, provider, account, models, paths: accountProviders[account.kind].probed };
      return { provider, baseUrl, faults: 'fault' in look ? [look.fault] : await modelFaults({ ...probed, ...look }) };
    }),
  );
}

type Look = { readonly fault: AccountFault } | { readonly endpoint: Endpoint; readonly listed: ListedModels };
type ListedModels = ProbedEndpoint['models'];

async function lookAt(
  provider: string,
  account: SpecAccount,
  models: readonly SpecModel[],
  env: NodeJS.ProcessEnv,
): Promise<Look> {
  const { baseUrl } = account;
  const unset = unsetVariable(provider, account, models, env);
  if (unset !== null) return { fault: unset };
  const { probed } = accountProviders[account.kind];
  const endpoint = { baseUrl, headers: headersOf(account, env) };
  const { fault, models: listed } = await probeEndpoint(
    endpoint,
    pathsOfApi(probed, account.api ?? 'chat'),
    probeLimitMs,
  );
  if (fault === null) return { endpoint, listed };
  const [at, rule] = fault.key === 'apiKeyEnv' ? refusedKey(account, fault.rule) : [fault.key, fault.rule];
  return { fault: { at: ['providers', provider, at], rule } };
}

/** An account may send its key in a header of `headersEnv`, or none. @param rule for one with `apiKeyEnv` */
function refusedKey({ baseUrl, apiKeyEnv, headersEnv = {} }: SpecAccount, rule: string): [at: string, rule: string] {
  if (apiKeyEnv !== undefined) return ['apiKeyEnv', rule];
  const answer = `${baseUrl} answers 401: the endpoint`;
  const variables = Object.values(headersEnv);
  if (variables.length === 0) return ['baseUrl', `${answer} requires a key; ${nameKey}`];
  const sent = `does not accept the headers of headersEnv as a key; correct the value of ${nameList(variables)}`;
  return ['headersEnv', `${answer} ${sent}, or ${nameKey}`];
}

function unsetVariable(
  provider: string,
  { apiKeyEnv, headersEnv = {} }: SpecAccount,
  models: readonly SpecModel[],
  env: NodeJS.ProcessEnv,
): AccountFault | null {
  const named = [
    ...(apiKeyEnv === undefined ? [] : [{ at: ['apiKeyEnv'], variable: apiKeyEnv }]),
    ...Object.entries(headersEnv).map(([header, variable]) => ({ at: ['headersEnv', header], variable })),
  ];
  for (const { variable, at } of named) {
    const secret = readSecret(variable, env);
    if ('value' in secret) continue;
    const rule =
      `the environment variable ${variable} ${secret.fault}, and ${nameList(models.map(({ id }) => id))} cannot be ` +
      `asked without it; export ${variable}=...`;
    return { at: ['providers', provider, ...at], rule };
  }
  return null;
}

function headersOf({ kind, apiKeyEnv, headersEnv = {} }: SpecAccount, env: NodeJS.ProcessEnv): Record<string, string> {
  const sentFor = (variable: string): string => {
    const secret = readSecret(variable, env);
    return 'value' in secret ? secret.value : '';
  };
  const key = apiKeyEnv === undefined ? {} : accountProviders[kind].authorization(sentFor(apiKeyEnv));
  return { ...key, ...Object.fromEntries(Object.entries(headersEnv).map(([name, from]) => [name, sentFor(from)])) };
}

const nameKey = 'set apiKeyEnv to the name of the environment variable that holds it';
