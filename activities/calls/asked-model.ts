import type { ModelParameters } from '../../schemas/spec/parameters.ts';
import type { Provider, SpecField } from '../providers/provider.ts';
import type { Account } from './accounts/accounts.ts';
import type { FailingStreak } from './attempts/failing-streak.ts';
import type { Price } from './prices.ts';

/** A model of the spec, ready to be asked. */
export interface AskedModel {
  readonly id: string;
  readonly requestedModel: string;
  /** Created at the first call: a simulated model must know which mutations fail. */
  readonly provider: () => Promise<Provider>;
  readonly simulated: boolean;
  readonly account: Account;
  readonly streak: FailingStreak;
  /** Overrides of the study's decoding; null means that a parameter is not sent. */
  readonly parameters: ModelParameters;
  readonly price: Price | null;
  /** Whether it is asked in batches; if not, each of its calls is made on its own. */
  readonly asksInBatches: boolean;
  /** Also of a model that was asked in batches before its mode was changed. */
  readonly batchPrice: Price | null;
  /** Highest number of answers that the spec lets one request ask for. */
  readonly samplesPerRequest: number;
  /** Whether a reply from another version than the run's first is rejected, and stops the model. */
  readonly strictVersion: boolean;
  /** Simulated and replayed calls cost nothing. */
  readonly free: boolean;
  /** For messages: where the spec defines the model, and where to change `field`. */
  readonly specPlace: (field: SpecField | null) => string;
}
