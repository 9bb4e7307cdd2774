/** Says while a run goes on that a model is asked no more: it may have days to go with the others. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { plain } from '../output/terminal.ts';

/**
 * Returns a function to be called often. It says each model's stop once, in the words of the run's end, but where no
 * other model of the spec goes on: then the run ends, and says it.
 * @param before those that a command found stopped, and has named
 */
export function onStoppedModels(
  models: readonly { readonly id: string }[],
  before: Promise<Pick<Progress, 'stopped'>>,
  say: (line: string) => void,
): (progress: Pick<Progress, 'stopped'>) => Promise<void> {
  let told: Set<string> | null = null;
  return async ({ stopped }) => {
    told ??= namesIn(await before);
    const found = namesIn({ stopped });
    if (found.has('*') || models.every(({ id }) => found.has(id))) return;
    for (const { model, detail } of stopped) {
      if (told.has(model)) continue;
      told.add(model);
      say(`asked no more, while other models go on: ${plain(detail)}`);
    }
  };
}

const namesIn = ({ stopped }: Pick<Progress, 'stopped'>): Set<string> => new Set(stopped.map(({ model }) => model));
