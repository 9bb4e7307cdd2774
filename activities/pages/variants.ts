/**
 * A run's prompt variants: made once per task and variant set and stored as ledger facts, so that a resume never
 * rewrites a prompt.
 */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import { studyOf } from '../../studies/index.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

export interface VariantStore {
  /** Reads the variants of these tasks that this process does not know yet. */
  read(study: SpecStudy, tasks: readonly Task[]): Promise<void>;
  /** Null if the study's variants of this task did not exist when they were last read. */
  find(study: SpecStudy, task: Task, variant: string): VariantRecord | null;
  /** All variants of a task, including failed ones; undefined if they do not exist yet. */
  ofTask(study: SpecStudy, task: Task): Promise<readonly VariantRecord[] | undefined>;
  /** Stores a task's variants; already stored ones stay. */
  keep(study: SpecStudy, task: Task, records: readonly VariantRecord[]): Promise<readonly VariantRecord[]>;
}

/** Name of the ledger fact, and of the entry in the cache that runs share. */
export function variantFact(study: SpecStudy, task: Task): string {
  const identity = studyOf(study).variants?.identity(study);
  return `variants/${sha256(canonicalJson(identity ?? null)).slice(0, 16)}/${task.recordSha256}`;
}

export function createVariantStore(ledger: Pick<Ledger, 'factsNamed' | 'saveFact'>): VariantStore {
  const known = new Map<string, ReadonlyMap<string, VariantRecord>>();
  const names = new WeakMap<SpecStudy, Map<string, string>>();
  const nameOf = (study: SpecStudy, task: Task): string => {
    const ofStudy = names.get(study) ?? new Map<string, string>();
    names.set(study, ofStudy);
    const name = ofStudy.get(task.taskId) ?? variantFact(study, task);
    ofStudy.set(task.taskId, name);
    return name;
  };
  const remember = (name: string, json: string): ReadonlyMap<string, VariantRecord> => {
    const records = new Map((JSON.parse(json) as VariantRecord[]).map((record) => [record.variant, record]));
    known.set(name, records);
    return records;
  };
  const read = async (study: SpecStudy, tasks: readonly Task[]): Promise<void> => {
    const unknown = tasks.map((task) => nameOf(study, task)).filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    for (const [name, json] of await ledger.factsNamed(unknown)) remember(name, json);
  };
  return {
    read,
    find: (study, task, variant) => known.get(nameOf(study, task))?.get(variant) ?? null,
    async ofTask(study, task) {
      await read(study, [task]);
      const records = known.get(nameOf(study, task));
      return records && [...records.values()];
    },
    keep: async (study, task, records) => {
      const name = nameOf(study, task);
      return [...remember(name, await ledger.saveFact(name, JSON.stringify(records))).values()];
    },
  };
}
