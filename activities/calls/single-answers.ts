/**
 * Models that are asked for one answer at a time although the spec allows more:
 * their endpoint refused a request for several.
 */
import { sha256 } from '../../domain/ids.ts';
import type { AskedModel } from './asked-model.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

interface SingleModel {
  readonly model: string;
  /** The endpoint's refusal. */
  readonly message: string;
}

const factPrefix = 'single answers/';
const factName = (model: string): string => `${factPrefix}${sha256(model)}`;

/** Applies to the rest of the run, in every process. */
export const noteRefusalOfSeveral = (
  ledger: Pick<Ledger, 'saveFact'>,
  { model, message }: SingleModel,
): Promise<string> => ledger.saveFact(factName(model), JSON.stringify({ model, message }));

/** Highest number of answers that one request to this model may ask for now. */
export const mostAnswers = async (
  ledger: Pick<Ledger, 'fact'>,
  { id, samplesPerRequest }: Pick<AskedModel, 'id' | 'samplesPerRequest'>,
): Promise<number> =>
  samplesPerRequest > 1 && (await ledger.fact(factName(id))) !== undefined ? 1 : samplesPerRequest;

/** Sorted by model id. */
export const singleModels = async (ledger: Pick<Ledger, 'facts'>): Promise<SingleModel[]> =>
  (await ledger.facts(factPrefix))
    .map((json) => JSON.parse(json) as SingleModel)
    .sort((a, b) => (a.model < b.model ? -1 : 1));
