/**
 * Models that `strictVersion` stopped. The version that a run began with rarely answers again, so such a model is not
 * asked again by the way: each answer of another version is paid for and not used.
 */
import type { Spec } from '../../../schemas/spec.ts';
import { ProviderFault } from '../../providers/provider.ts';
import type { Progress } from '../../storage/ledger/ledger-counts.ts';
import type { VersionChange } from '../versions.ts';

const another = 'another version answers';

/** @param where ` in a batch`, or nothing */
export const otherVersion = ({ field, first, now }: VersionChange, where = ''): ProviderFault =>
  new ProviderFault(
    'stop',
    `${another}${where}: ${field === 'returnedModel' ? '' : `${field} `}${now} instead of ${first}, which ` +
      'strictVersion does not allow; start a new run for it',
    { specField: { of: 'model', path: ['strictVersion'] } },
  );

/** Of the models of a run that are stopped, those that are so for this alone, while the spec still asks for it. */
export function strictStops(stopped: Progress['stopped'], { models }: Pick<Spec, 'models'>): string[] {
  const begins = models.filter(({ strictVersion }) => strictVersion).map(({ id }) => `${id}: ${another}`);
  return stopped
    .filter(({ reason, detail }) => reason === 'model_stopped' && begins.some((begin) => detail.startsWith(begin)))
    .map(({ model }) => model);
}

/** The same where nothing else of the run is left to do; else empty. */
export function onlyStrictStops(
  { stopped, lanes, failedPages, batches }: Pick<Progress, 'stopped' | 'lanes' | 'failedPages' | 'batches'>,
  spec: Pick<Spec, 'models'>,
): string[] {
  const strict = strictStops(stopped, spec);
  const isOther = ({ model }: { readonly model: string }): boolean => !strict.includes(model);
  const isOpen = lanes.some((lane) => isOther(lane) && lane.cellsDone < lane.cells);
  return isOpen || stopped.some(isOther) || failedPages.length > 0 || batches !== undefined ? [] : strict;
}
