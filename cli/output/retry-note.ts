/** What `resume --model` says where the option does not do what its name promises. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { plain } from './terminal.ts';

/** Null if the model was stopped, and is asked again alone. Model `*` is the whole run. */
export function retryNote(model: string, { stopped }: Pick<Progress, 'stopped'>): string | null {
  const models = stopped.map((stop) => stop.model).filter((one) => one !== '*');
  if (models.includes(model)) return null;
  const others = models.map(plain).join(', ');
  return models.length === 0
    ? `note: --model ${plain(model)} changes nothing, since no model of the run was stopped: all models go on`
    : `note: model "${plain(model)}" was not stopped: ${others} ${models.length === 1 ? 'stays' : 'stay'} stopped, ` +
        'and all other models go on';
}
