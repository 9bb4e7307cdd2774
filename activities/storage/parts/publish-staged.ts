/** Registers staged parts in the ledger and moves them into place. */
import type { PartRecord } from '../ledger/records.ts';
import type { PartKeeper } from '../home/run-home.ts';
import type { StagedPart } from './parts.ts';
import type { PartsChange } from './publisher.ts';

/** Returns the paths of the parts that the new ones replace. */
type Register = (records: readonly PartRecord[]) => Promise<readonly string[]>;

/**
 * First updates the ledger, then moves files: old ones out of the tables' folders before new ones come in, so that no
 * reader ever sees a row twice. Files left unmoved by a kill are moved when the run is resumed
 * (storage/parts/settle-parts.ts).
 */
export async function publishStaged(
  keeper: Pick<PartKeeper, 'setAside'>,
  staged: readonly StagedPart[],
  register: Register,
): Promise<PartsChange> {
  try {
    await Promise.all(staged.map(({ durable }) => durable));
  } catch (error) {
    for (const { discard } of staged) discard();
    throw error;
  }
  const replaced = await registered(staged, register);
  keeper.setAside(replaced);
  for (const { publish } of staged) publish();
  return { added: staged.map(({ record }) => record), removed: replaced };
}

async function registered(staged: readonly StagedPart[], register: Register): Promise<readonly string[]> {
  try {
    return await register(staged.map(({ record }) => record));
  } catch (error) {
    for (const { discard } of staged) discard();
    throw error;
  }
}
