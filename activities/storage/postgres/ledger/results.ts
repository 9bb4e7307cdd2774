/** Verdicts, reference runs and facts of a run on PostgreSQL: those of one moment are stored by one statement. */
import { createRecent } from '../../../../domain/recent.ts';
import { sha256 as sha256Of } from '../../../../domain/ids.ts';
import { packBody, unpackBody } from '../../ledger/bodies/stored-body.ts';
import { packVerdict, type Shared, unpackVerdict } from '../../ledger/bodies/stored-verdict.ts';
import type { ReferenceRecord, VerdictRecord } from '../../ledger/records.ts';
import type { Results } from '../../ledger/results.ts';
import type { Postgres } from '../postgres.ts';
import { grouped } from './grouped.ts';
import { checkedKey, type PackedBody, packedBody, unpackedBody } from './packed-reply.ts';

/** Room for records that this process has read or stored, in characters: steps often need the same ones. */
const verdictRoom = 8 * 1024 * 1024;
const referenceRoom = 8 * 1024 * 1024;

export function results(database: Postgres, run: number): Results {
  const verdicts = verdictsOf(database, run);
  const references = referencesOf(database, run);
  const facts = factsOf(database, run);
  return {
    verdict: async (key) => (await verdicts.find([key])).get(key),
    verdicts: (keys) => verdicts.find(keys),
    saveVerdict: verdicts.save,
    reference: async (key) => (await references.find([key])).get(key),
    references: (keys) => references.find(keys),
    saveReference: references.save,
    fact: async (name) => (await facts.named([name])).get(name),
    factsNamed: facts.named,
    facts: facts.under,
    saveFact: facts.save,
  };
}

/** Keys of one query. */
const atOnce = 2_000;

/** What is stored by key and never changes: known here, or read. */
async function findBy<V>(
  keys: Iterable<string>,
  known: (key: string) => V | undefined,
  read: (keys: readonly Buffer[]) => Promise<readonly (readonly [string, V])[]>,
): Promise<ReadonlyMap<string, V>> {
  const wanted = [...new Set(keys)];
  const found = new Map<string, V>();
  for (const key of wanted) {
    const value = known(key);
    if (value !== undefined) found.set(key, value);
  }
  const missing = wanted.filter((key) => !found.has(key)).map((key) => Buffer.from(checkedKey(key), 'hex'));
  for (let first = 0; first < missing.length; first += atOnce)
    for (const [key, value] of await read(missing.slice(first, first + atOnce))) found.set(key, value);
  return new Map(wanted.flatMap((key) => (found.has(key) ? [[key, found.get(key) as V]] : [])));
}

interface VerdictRow extends PackedBody {
  readonly key: string;
  readonly shared: string;
}

function verdictsOf(database: Postgres, run: number) {
  const recent = createRecent<VerdictRecord>(verdictRoom);
  const keep = (verdict: VerdictRecord): VerdictRecord => {
    recent.put(verdict.executionKey, verdict, 600 + (verdict.detail?.length ?? 0));
    return verdict;
  };
  const read = async (keys: readonly Buffer[]) => {
    const rows = await database.query<VerdictRow>(
      `select encode(execution_key, 'hex') as key, encode(body, 'base64') as body,
         encode(verdict.sha256, 'hex') as sha256, json as shared
       from verdict join verdict_shared on verdict_shared.run = verdict.run and verdict_shared.id = shared
       where verdict.run = $1 and execution_key = any ($2)`,
      [run, keys],
    );
    return rows.map((row) => [row.key, keep(verdictOf(row))] as const);
  };
  const store = grouped<VerdictRecord, VerdictRecord>(async (given) => {
    const packed = given.map((verdict, place) => ({ place, ...packedVerdict(verdict) }));
    const [row] = await database.query<{ readonly before: readonly VerdictRow[] | null }>(
      'select save_verdicts($1, $2) as before',
      [run, JSON.stringify(packed)],
    );
    const winners = new Map((row?.before ?? []).map((stored) => [stored.key, verdictOf(stored)]));
    for (const verdict of given) if (!winners.has(verdict.executionKey)) winners.set(verdict.executionKey, verdict);
    return given.map((verdict) => winners.get(verdict.executionKey) ?? verdict);
  });
  return {
    find: (keys: Iterable<string>) => findBy(keys, recent.get, read),
    async save(verdict: VerdictRecord) {
      checkedKey(verdict.executionKey);
      return keep(await store(verdict));
    },
  };
}

function packedVerdict({ executionKey, tier, lane, engine, imageDigest, limits, ...own }: VerdictRecord) {
  const shared = JSON.stringify({ tier, lane, engine, imageDigest, limits } satisfies Shared);
  return { key: executionKey, shared, shared_sha256: sha256Of(shared), ...packedBody(packVerdict(own)) };
}

/** Throws `CorruptionError` if the stored verdict does not match its hash. */
const verdictOf = ({ key, shared, ...packed }: VerdictRow): VerdictRecord => ({
  ...unpackVerdict(unpackedBody(packed), `verdict of execution ${key}`),
  executionKey: key,
  ...(JSON.parse(shared) as Shared),
});

const referenceSize = ({ outputs, caseMs }: ReferenceRecord): number =>
  outputs.reduce((sum, output) => sum + (output?.length ?? 0), 8 * (outputs.length + caseMs.length));

function referencesOf(database: Postgres, run: number) {
  const recent = createRecent<ReferenceRecord>(referenceRoom);
  const read = async (keys: readonly Buffer[]) => {
    const rows = await database.query<PackedBody & { readonly key: string }>(
      `select encode(reference_key, 'hex') as key, encode(body, 'base64') as body, encode(sha256, 'hex') as sha256
       from reference where run = $1 and reference_key = any ($2)`,
      [run, keys],
    );
    return rows.map(({ key, ...packed }) => {
      const reference = unpackBody<ReferenceRecord>(unpackedBody(packed), `reference run ${key}`);
      recent.put(key, reference, referenceSize(reference));
      return [key, reference] as const;
    });
  };
  const store = grouped<ReferenceRecord, null>(async (given) => {
    const packed = given.map((one, place) => ({ place, key: one.key, ...packedBody(packBody(one)) }));
    await database.query('select save_references($1, $2)', [run, JSON.stringify(packed)]);
    return given.map(() => null);
  });
  return {
    find: (keys: Iterable<string>) => findBy(keys, recent.get, read),
    async save(reference: ReferenceRecord) {
      checkedKey(reference.key);
      await store(reference);
    },
  };
}

function factsOf(database: Postgres, run: number) {
  const store = grouped<{ readonly name: string; readonly json: string }, string>(async (given) => {
    const packed = JSON.stringify(given.map((fact, place) => ({ place, ...fact })));
    const [row] = await database.query<{ readonly facts: Readonly<Record<string, string>> }>(
      'select save_facts($1, $2) as facts',
      [run, packed],
    );
    return given.map(({ name, json }) => row?.facts[name] ?? json);
  });
  return {
    async named(names: Iterable<string>) {
      const wanted = [...names];
      const rows = await database.query<{ readonly name: string; readonly json: string }>(
        'select name, json from fact where run = $1 and name = any ($2)',
        [run, wanted],
      );
      const found = new Map(rows.map(({ name, json }) => [name, json]));
      return new Map(wanted.flatMap((name) => (found.has(name) ? [[name, found.get(name) as string]] : [])));
    },
    async under(prefix: string) {
      const rows = await database.query<{ readonly json: string }>(
        'select json from fact where run = $1 and name >= $2 and name < $3 order by name',
        [run, prefix, after(prefix)],
      );
      return rows.map(({ json }) => json);
    },
    save: (name: string, json: string) => store({ name, json }),
  };
}

/** The least text above all that start with this ASCII prefix. */
const after = (prefix: string): string =>
  `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
