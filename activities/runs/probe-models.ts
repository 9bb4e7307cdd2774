/** Checks the names of a spec's models before anything is created, by the endpoint's list and by asking. */
import { anyOf } from '../../domain/any-of.ts';
import { nearest } from '../../domain/nearest.ts';
import { isOtherModel } from '../../domain/returned-model.ts';
import { apiOf, providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Spec, SpecAccount, SpecModel } from '../../schemas/spec.ts';
import type { Endpoint, ProbedPaths } from '../providers/probe.ts';
import { probeModel } from '../providers/probe-model.ts';

/** With the probe of the endpoint before it, well within ten seconds. */
const askLimitMs = 4_000;

/** Why an account or a model cannot be asked, and the place in the spec to change. */
export interface AccountFault {
  readonly at: readonly string[];
  readonly rule: string;
}

export interface ProbedModels {
  readonly spec: Spec;
  readonly provider: string;
  readonly account: SpecAccount;
  /** The account's models that the spec asks. */
  readonly models: readonly SpecModel[];
  readonly endpoint: Endpoint;
  readonly paths: ProbedPaths;
  /** Null if the endpoint does not list its models. */
  readonly listed: readonly string[] | null;
}

/**
 * With `probe: call` each model is asked for a token. Else only those that the endpoint's list lacks, if that is free:
 * endpoints answer to more names than they list. A paid model that the list lacks is a fault.
 */
export async function modelFaults(probed: ProbedModels): Promise<AccountFault[]> {
  const { spec, account, listed, models } = probed;
  const doubtful = models.filter((model) => listed !== null && !isListed(model, listed));
  const asked = account.probe === 'call' ? models : doubtful.filter((model) => isFree(spec, model, account));
  const refused = doubtful.filter((model) => !asked.includes(model)).map((model) => unlisted(probed, model));
  const answers = await Promise.all(asked.map((model) => askedFault(probed, model)));
  return [...refused, ...answers.flatMap((fault) => fault ?? [])];
}

const nameOf = ({ id, model }: SpecModel): string => model ?? id;

/** Ollama lists `name:latest`, Gemini `models/name`; OpenRouter takes variants of a name after a colon. */
const isListed = (model: SpecModel, listed: readonly string[]): boolean =>
  [nameOf(model), nameOf(model).replace(/:[^:/]+$/, '')].some((name) =>
    listed.some((known) => known === name || known === `${name}:latest` || !isOtherModel(name, known)),
  );

/** This machine and private networks (RFC 1918, multicast DNS). */
const ownNetwork = new RegExp(
  anyOf(
    /^localhost$|^127\.[\d.]+$|^\[::1\]$|^host\.docker\.internal$|\.local$/,
    /^10\.[\d.]+$|^192\.168\.[\d.]+$|^172\.(?:1[6-9]|2\d|3[01])\.[\d.]+$/,
  ),
);

const isFree = (spec: Spec, model: SpecModel, { baseUrl }: SpecAccount): boolean =>
  !providerFacts(spec, model).paid || ownNetwork.test(new URL(baseUrl).hostname);

function unlisted({ spec, account, listed }: ProbedModels, model: SpecModel): AccountFault {
  const name = nameOf(model);
  const guess = nearest(name, listed ?? []);
  return {
    at: placeOf(spec, model),
    rule:
      `${account.baseUrl} does not list a model "${name}"${guess === undefined ? '' : `; did you mean "${guess}"?`} ` +
      'If it is right, set `probe: call` on the provider: then each model is asked for one token instead',
  };
}

async function askedFault({ spec, provider, endpoint, paths, listed }: ProbedModels, model: SpecModel) {
  const refused = await probeModel(endpoint, paths, { model: nameOf(model), api: apiOf(spec, model) }, askLimitMs);
  if (refused === null) return null;
  const { rule, field } = refused;
  const at = field?.of === 'provider' ? ['providers', provider, ...field.path] : placeOf(spec, model);
  const guess = field?.path[0] === 'model' ? nearest(nameOf(model), listed ?? []) : undefined;
  return { at, rule: guess === undefined ? rule : `${rule}; did you mean "${guess}"?` };
}

const placeOf = ({ models }: Spec, model: SpecModel): string[] => [
  'models',
  String(models.indexOf(model)),
  model.model === undefined ? 'id' : 'model',
];
