/** The sentence about a model that several backends of a gateway served: they may differ in precision and prompt. */
import type { ModelCalls } from '../model-calls.ts';

export const mixedBackendsText = ({ model, backends }: Pick<ModelCalls, 'model' | 'backends'>): string =>
  `${model} was served by ${backends.length} backends: ${backends.join(', ')}; samples.backend has that of each ` +
  'answer.';
