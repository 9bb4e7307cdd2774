/** What one more answer of a model costs: its prompt and its text, USD. */
import { chatRequest, decodingOf, outputLimit } from '../../domain/chat-request.ts';
import { numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import type { AnswerPrice } from '../../domain/statistics/power/comparison-design.ts';
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import type { Spec, SpecModel, SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { CallForecast } from '../../studies/forecast.ts';
import { batchPriceOf, priceOf } from '../calls/prices.ts';
import { assumedCeiling } from '../calls/token-usage.ts';
import { askedEffort, expectedThoughts } from './thoughts.ts';
import { inputTokens, outputTokens, someTasks } from './token-counts.ts';

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Null if a model is free, or its price or tokens are unknown: then answers are counted instead. */
type Prices = readonly AnswerPrice[] | null;

/** By the mean tokens of the run's calls for first answers to unchanged prompts. */
export async function pricesOfRun(
  database: RunDatabase,
  { spec, runId }: { readonly spec: Spec; readonly runId: string },
  study: SpecStudy,
  models: readonly string[],
): Promise<Prices> {
  const rows = await records(
    database,
    `SELECT answering_model AS model, avg(input_tokens) AS input, sum(output_tokens) / sum(n) AS output FROM calls
     WHERE run = ${quoteText(runId)} AND study = ${quoteText(study.name)} AND role = 'study' AND status = 'answered'
       AND variant = 'original' AND step = 'generate' AND loop = 1 GROUP BY ALL`,
  );
  const tokens = new Map(
    rows.map((row) => [
      textOf(row, 'model'),
      { input: numberOrNull(row, 'input'), output: numberOrNull(row, 'output') },
    ]),
  );
  return pricesOf(spec, study, models, (model) => {
    const found = tokens.get(model.id);
    return found === undefined || found.input === null || found.output === null
      ? null
      : { input: found.input, output: found.output };
  });
}

/** By the tokens that the offline plan expects. @param forecast of the study's first programs */
export function pricesOfPlan(
  spec: Spec,
  study: SpecStudy,
  models: readonly string[],
  forecast: CallForecast,
  tasks: readonly Task[],
): Prices {
  const some = someTasks(tasks);
  return pricesOf(spec, study, models, (model) => {
    const decoding = decodingOf(forecast.maxTokens, effortOf(study));
    const longest = outputLimit(chatRequest(model.id, [], decoding, model.parameters ?? {}).parameters);
    const most = longest ?? assumedCeiling;
    const thoughts = expectedThoughts(null, askedEffort(spec, study, model.id, forecast.asked));
    return {
      input: inputTokens(forecast, some, most).expected,
      output: Math.min(most, outputTokens(forecast.answer, some, most).expected + thoughts),
    };
  });
}

/** Of two models: with more, each counts for its share of two. */
function pricesOf(
  spec: Spec,
  study: SpecStudy,
  models: readonly string[],
  tokensOf: (model: SpecModel) => Tokens | null,
): Prices {
  const prices = models.map((id) => {
    const model = spec.models.find((one) => one.id === id);
    const tokens = model === undefined ? null : tokensOf(model);
    return model === undefined || tokens === null ? null : answerPrice(spec, study, model, tokens);
  });
  const known = prices.filter((price) => price !== null);
  if (known.length < models.length || models.length === 0) return null;
  return known.map(({ prompt, answer, samplesPerRequest }) => ({
    prompt: (2 * prompt) / models.length,
    answer: (2 * answer) / models.length,
    samplesPerRequest,
  }));
}

function answerPrice(spec: Spec, study: SpecStudy, model: SpecModel, { input, output }: Tokens): AnswerPrice | null {
  if (!providerFacts(spec, model).paid) return null;
  const full = priceOf(model, spec.providers[model.provider]);
  if (full === null) return null;
  const price = model.mode === 'batch' ? batchPriceOf(full, model) : full;
  const usd = (inputCount: number, outputCount: number): number =>
    price.usdOf(
      {
        inputTokens: Math.round(inputCount),
        outputTokens: Math.round(outputCount),
        cachedTokens: null,
        reasoningTokens: null,
      },
      new Date(),
    );
  // Only a study with a setting for samples can ask for several at once.
  const samplesPerRequest = 'samples' in study.settings ? (model.samplesPerRequest ?? 1) : 1;
  return { prompt: usd(input, 0), answer: usd(0, output), samplesPerRequest };
}
