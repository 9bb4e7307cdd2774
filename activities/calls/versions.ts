/** Tracks which version of a model answers: an endpoint may change the model behind a name during a run. */
import { sha256 } from '../../domain/ids.ts';
import { isOtherModel } from '../../domain/returned-model.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

/** Reply fields that identify the version; missing ones are ignored. */
const fields = ['returnedModel', 'fingerprint', 'backend'] as const;
type Field = (typeof fields)[number];

export interface VersionChange {
  readonly field: Field;
  readonly first: string;
  readonly now: string;
}

/**
 * Stores every version that answers; returns the change if a reply's version is not the first of this run, else null.
 */
export type VersionWatch = (model: string, reply: ChatReply) => Promise<VersionChange | null> | null;

interface Sighting {
  readonly model: string;
  readonly field: Field;
  readonly value: string;
}

const factPrefix = 'version/';

/** Reads the ledger only for a version that this process has not seen. */
export function createVersionWatch(ledger: Pick<Ledger, 'saveFact'>): VersionWatch {
  const firsts = new Map<string, string>();
  const noted = new Set<string>();

  async function note(model: string, field: Field, value: string): Promise<string> {
    const sighting: Sighting = { model, field, value };
    const name = `${factPrefix}${sha256(`${model}\0${field}`)}`;
    const first = JSON.parse(await ledger.saveFact(name, JSON.stringify(sighting))) as Sighting;
    if (first.value !== value) await ledger.saveFact(`${name}/${sha256(value)}`, JSON.stringify(sighting));
    firsts.set(`${model}\0${field}`, first.value);
    noted.add(`${model}\0${field}\0${value}`);
    return first.value;
  }

  async function look(model: string, reply: ChatReply): Promise<VersionChange | null> {
    for (const field of fields) {
      const now = reply[field];
      if (now == null) continue;
      const isNoted = noted.has(`${model}\0${field}\0${now}`);
      const first = (isNoted ? firsts.get(`${model}\0${field}`) : undefined) ?? (await note(model, field, now));
      if (first !== now) return { field, first, now };
    }
    return null;
  }

  return (model, reply) => {
    const isFirst = fields.every((field) => reply[field] == null || firsts.get(`${model}\0${field}`) === reply[field]);
    return isFirst ? null : look(model, reply);
  };
}

/** Models that answered in more than one version, with the names they returned. */
export async function mixedModels(
  ledger: Pick<Ledger, 'facts'>,
): Promise<{ readonly model: string; readonly versions: readonly string[] }[]> {
  const byField = Map.groupBy(await sightingsIn(ledger), ({ model, field }) => `${model}\0${field}`);
  const mixed = [...byField.values()].filter((group) => group.length > 1);
  const byModel = Map.groupBy(mixed.flat(), ({ model }) => model);
  return [...byModel].map(([model, group]) => ({ model, versions: group.map(nameOf).sort() })).sort(byName);
}

const nameOf = ({ field, value }: Sighting): string => (field === 'backend' ? `backend ${value}` : value);

/**
 * Models that answered under another model's name, with these names.
 * @param requestedModel the name that the endpoint knows
 */
export async function otherModels(
  ledger: Pick<Ledger, 'facts'>,
  requestedModel: (model: string) => string | undefined,
): Promise<{ readonly model: string; readonly names: readonly string[] }[]> {
  const returned = (await sightingsIn(ledger)).filter(({ field }) => field === 'returnedModel');
  const others = returned.filter(({ model, value }) => isOtherModel(requestedModel(model) ?? value, value));
  return [...Map.groupBy(others, ({ model }) => model)]
    .map(([model, group]) => ({ model, names: group.map(({ value }) => value).sort() }))
    .sort(byName);
}

const sightingsIn = async (ledger: Pick<Ledger, 'facts'>): Promise<Sighting[]> =>
  (await ledger.facts(factPrefix)).map((json) => JSON.parse(json) as Sighting);

const byName = (a: { readonly model: string }, b: { readonly model: string }): number => (a.model < b.model ? -1 : 1);
