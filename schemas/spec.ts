/**
 * The study spec that a user writes: YAML or JSON, checked here and nowhere else. Descriptions are what an editor shows beside a key and what
 * docs/spec.md lists; `spec.schema.json` is made from here (scripts/spec-files.ts).
 */
import { z } from 'zod';
import { taxonomySchema } from './taxonomy.ts';

const nameRule = 'letters, digits, dot, underscore, space and hyphen, starting with a letter or digit';
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._ -]*$/, nameRule)
  .max(80);
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself');
const urlRule = 'an http or https URL, up to and with the version';
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^\s/]/, urlRule)
  .regex(/^(?!https?:\/\/[^/]*@)/, 'no credentials in URLs: name an environment variable in apiKeyEnv')
  .regex(/^[^?#]*$/, 'a URL without ? and #: what follows the version is added to it')
  .refine((url) => URL.canParse(url), urlRule);

const limits = z.strictObject({
  requestsPerMinute: z.number().positive().optional().describe('The most requests in any minute.'),
  tokensPerMinute: z.number().positive().optional().describe('The most tokens, asked and answered, in any minute.'),
  concurrency: z.int().min(1).max(1024).optional().describe('The most calls in flight.'),
});

const openaiAccount = z.strictObject({
  kind: z.literal('openai').describe('Any endpoint that speaks OpenAI’s chat completions.'),
  baseUrl: httpUrl.describe('Up to and with the version: https://api.openai.com/v1. Without credentials.'),
  apiKeyEnv: variableName
    .optional()
    .describe('Name of the environment variable that holds the key, never the key itself. Left out: no Authorization header.'),
  headersEnv: z
    .record(z.string(), variableName)
    .optional()
    .describe('Further headers: header name to the name of the variable that holds its value.'),
  timeoutMs: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(300_000)
    .describe('From sending a request to the last byte of its answer, milliseconds.'),
  limits: limits
    .prefault({})
    .describe('Hold for all runs and processes of this user on the account together. Nothing given: 32 calls at a time for each run.'),
});
const simulatorAccount = openaiAccount.extend({
  kind: z.literal('simulator').describe('An `evenkeel simulate` server: OpenAI-compatible, and its models are marked as simulated.'),
});

const price = z.strictObject({
  inputUsdPerMillion: z.number().min(0).describe('USD for a million prompt tokens.'),
  outputUsdPerMillion: z.number().min(0).describe('USD for a million answered tokens.'),
});
const parameters = z.strictObject({
  maxTokens: z.int().min(1).nullable().optional().describe('Most tokens of an answer, sent as max_tokens.'),
  maxCompletionTokens: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('Sent as max_completion_tokens in place of maxTokens, for models that refuse that; hidden reasoning counts too.'),
  temperature: z.number().min(0).max(2).nullable().optional().describe('Sampling temperature.'),
  topP: z.number().min(0).max(1).nullable().optional().describe('Nucleus sampling, sent as top_p.'),
  logprobs: z.null().optional().describe('null asks for no log-probabilities, for models that refuse it.'),
  seed: z.null().optional().describe('null sends no seed, for models that refuse it.'),
});

const model = z.strictObject({
  id: z.string().min(1).max(200).describe('The model’s name in every table. Unique.'),
  provider: z.string().min(1).describe('An account of `providers`, or simulated, or replay.'),
  model: z.string().min(1).optional().describe('The name that the endpoint knows. Default: the id.'),
  profile: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'Of a simulated model: a preset (strong, drifting, weak, faulty, judge) or its traits, see docs/providers.md. Default: strong.',
    ),
  file: z.string().min(1).optional().describe('Of a replayed model: its recording, relative to the spec.'),
  family: z.string().optional().describe('Model family, a fact for grouping.'),
  sizeB: z.number().positive().optional().describe('Parameters in 1e9, a fact for grouping.'),
  training: z.string().optional().describe('Kind of training, a fact for grouping.'),
  version: z.string().optional().describe('Version label, a fact for grouping.'),
  price: price.optional().describe('Overrides the dated price list. Needed under a USD budget where the list does not know the model.'),
  parameters: parameters.optional().describe('Override the study’s decoding; null leaves a parameter unsent.'),
  samplesPerRequest: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe(
      'The most answers that one request may ask for, sent as n; default 1. For studies that draw several answers to one prompt. The prompt is then paid for once, but not every endpoint takes it. Needs parameters: { seed: null }, since draws with seeds of their own are asked for one by one. See docs/providers.md.',
    ),
  strictVersion: z.boolean().default(false).describe('True: an answer of another model version than the first one stops the model.'),
  study: z.boolean().default(true).describe('False: not under study, plays a role only (a judge).'),
});

const taskSelection = z.strictObject({
  limit: z.int().min(1).optional().describe('The first N tasks in an order that the seed fixes: a larger N takes a superset.'),
  sample: z.int().min(1).optional().describe('The same as limit.'),
  ids: z
    .array(z.union([z.string(), z.int()]).transform(String))
    .min(1)
    .optional()
    .describe('These tasks only, by our ids (MBPP/2) or the source’s (2).'),
});
export const benchmarkFormatNames = [
  'humaneval',
  'humaneval-et',
  'humaneval-plus',
  'mbpp-sanitized',
  'mbpp-et',
  'mbpp-plus',
  'mxeval',
  'evenkeel',
] as const;
export type BenchmarkFormatName = (typeof benchmarkFormatNames)[number];
const format = z
  .enum(benchmarkFormatNames)
  .describe('The file’s format, see docs/benchmarks.md; evenkeel is the one for tasks of your own.');

/** Tests for the same tasks from another file, joined by the task's id. */
const joinedSuite = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/, 'a suite name: lower-case letters, digits, hyphen, underscore')
    .describe('The suite’s name in every table.'),
  format,
  path: z.string().min(1).describe('The file with the tests, plain or gzip, relative to the spec.'),
});
export type JoinedSuite = z.infer<typeof joinedSuite>;

const benchmark = z.strictObject({
  format,
  path: z.string().min(1).describe('The file with the tasks, plain or gzip, relative to the spec.'),
  suites: z
    .array(z.union([z.string(), joinedSuite]))
    .min(1)
    .optional()
    .describe('Suites to run: names of the file’s own, or tests joined from another file. Default: all of the file’s own.'),
  tasks: taskSelection.optional().describe('Which tasks; all when left out.'),
});

/** EVALOOP's listing 3.2, beside its initial prompt. */
export const summaryPromptNames = ['detailed', 'case', 'structure', 'simple', 'elaboration'] as const;
/** What the loop goes between: code, and this. */
export const dualPairNames = ['summary', 'pseudocode', 'tests'] as const;
const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const noneTwice = 'each at most once';

/** EVALOOP: generate, test, summarize, again, until the code fails or M loops passed. */
const evaloopSettings = z.strictObject({
  maxLoops: z.int().min(1).max(100).default(10).describe('M: a task that passes M loops has survived.'),
  judge: z.string().default('none').describe('Id of the model that scores how far a prompt drifted where a task broke, or none.'),
  judgeAsks: z.int().min(1).max(10).default(3).describe('Most questions to the judge until an answer holds a score.'),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('Sampling temperature; null is not sent.'),
  topP: z.number().min(0).max(1).nullable().default(1).describe('Nucleus sampling; null is not sent.'),
  maxTokens: z.int().min(1).nullable().default(1024).describe('Most tokens of an answer; null is not sent.'),
  pair: z
    .enum(dualPairNames)
    .default('summary')
    .describe('What the model makes of its code, and code of again: a summary (the paper), pseudocode, or tests that describe it.'),
  attacks: z
    .array(z.string())
    .refine(unique, noneTwice)
    .default([])
    .describe(
      'Attacks on the first prompt, by name (case, structure, elaboration, typos, ...; see docs/studies/evaloop.md): every task goes round once more under each.',
    )
    .meta({ uniqueItems: true }),
  attackDraws: z.int().min(1).max(20).default(1).describe('Draws of each attack that is random.'),
  attackSeed: z.int().default(0).describe('Seed of the random attacks; the same for every model.'),
  summaryPrompts: z
    .array(z.enum(summaryPromptNames))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further summary prompts: every task goes round once more with each, to see whether models keep their ranks.')
    .meta({ uniqueItems: true }),
  temperatures: z
    .array(z.number().min(0).max(2))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further temperatures of code and summary: every task goes round once more at each.')
    .meta({ uniqueItems: true }),
  sampledRuns: z.int().min(0).max(100).default(0).describe('Times that every task goes round once more at sampledTemperature.'),
  sampledTemperature: z.number().min(0).max(2).default(0.7).describe('Temperature of the sampled runs.'),
  collapseThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('A task that broke with at least this similarity collapsed; below it its meaning had drifted.'),
});
const evaloopStudy = z.strictObject({
  name: name.describe('The study’s name in every table. Unique.'),
  kind: z
    .literal('evaloop')
    .describe('Self-consistency loops: generate, test, summarize, again, until the code fails. See docs/studies/evaloop.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`; evaloop needs mbpp-plus or evenkeel.'),
  models: z.array(z.string()).min(1).optional().describe('Ids of the models under study. Default: all but those with study: false.'),
  repetitions: z.int().min(1).max(1000).default(1).describe('Times that everything is done anew.'),
  settings: evaloopSettings.prefault({}).describe('The defaults are the paper’s.'),
});

/** EVALOOP's translation chain: code goes from language to language and is tested in each. */
const chainSettings = z.strictObject({
  through: z
    .array(z.string())
    .min(1)
    .max(20)
    .describe(
      'Entries of `benchmarks` in the order of the chain, each a file of one language; the paper: PHP, Ruby, JavaScript, Perl and Python again.',
    ),
  tasks: z
    .enum(['mbpp-plus', 'shared'])
    .default('mbpp-plus')
    .describe('Of the tasks that all these files share: those that are in MBPP+ too, as in the paper, or all.'),
  scoring: z
    .enum(['squares', 'counts'])
    .default('squares')
    .describe(
      'squares: a failure ends the chain, and i steps passed in a row weigh i², as the text says; counts: every step is fed the one before, right or wrong, and the score is the mean number of steps passed, as in the authors’ code.',
    ),
  signature: z
    .boolean()
    .default(true)
    .describe('False: the model is not told the function’s name in the next language, and most tests miss it.'),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('Sampling temperature; null is not sent.'),
  topP: z.number().min(0).max(1).nullable().default(1).describe('Nucleus sampling; null is not sent.'),
  maxTokens: z.int().min(1).nullable().default(1024).describe('Most tokens of an answer; null is not sent.'),
});
const chainStudy = z.strictObject({
  name: name.describe('The study’s name in every table. Unique.'),
  kind: z
    .literal('chain')
    .describe(
      'Translation from language to language, tested in each (EVALOOP, section 5). Needs the container sandbox. See docs/studies/chain.md.',
    ),
  benchmark: z.string().describe('The entry of `benchmarks` whose references start the chain.'),
  models: z.array(z.string()).min(1).optional().describe('Ids of the models under study. Default: all but those with study: false.'),
  repetitions: z.int().min(1).max(1000).default(1).describe('Times that everything is done anew.'),
  settings: chainSettings.describe('The order of the languages has no default.'),
});

/** PromptSE: prompts worded by emotion, personality and distance; how much the answers' correctness moves. */
const promptseSettings = z.strictObject({
  rewriter: z.string().default('rules').describe('Id of the model that words the variants, or rules, which needs none.'),
  variantSet: z
    .string()
    .min(1)
    .optional()
    .describe('A file with variants to use as they are, JSON lines, plain or gzip, relative to the spec; no rewriter is asked then.'),
  rewriterTemperature: z.number().min(0).max(2).nullable().default(0.7).describe('Sampling temperature of the rewriter; null is not sent.'),
  seed: z.int().default(0).describe('Seed of the variants and of the samples; runs with equal ones share a variant set.'),
  variants: z.int().min(1).max(99).default(30).describe('Variants of each prompt at each of the distances 0.1, 0.2, 0.3.'),
  draws: z
    .enum(['balanced', 'random'])
    .default('balanced')
    .describe('Emotions nearly equally often for each prompt, or drawn freely as in the paper.'),
  maxDraws: z.int().min(1).max(50).default(12).describe('Most draws of one variant until one keeps to the rules; then it is missing.'),
  contexts: z
    .boolean()
    .default(false)
    .describe('True gives each variant also one of three conditions of work: complexity, collaboration, learning.'),
  samples: z.int().min(1).max(128).default(16).describe('m: answers to each prompt.'),
  lightSamples: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('Answers to each prompt that PromptSELight takes, the first ones; default: all. 1 is its cheap form.'),
  logprobs: z.boolean().default(true).describe('False asks for no log-probabilities: PromptSELight only.'),
  temperature: z.number().min(0).max(2).nullable().default(0.2).describe('Sampling temperature; null is not sent.'),
  topP: z.number().min(0).max(1).nullable().default(null).describe('Nucleus sampling; null is not sent.'),
  maxTokens: z.int().min(1).nullable().default(1024).describe('Most tokens of an answer; null is not sent.'),
  confidenceBins: z.int().min(1).max(100).default(10).describe('Bins of equal width of the expected calibration error.'),
  highConfidence: z.number().min(0).max(1).default(0.9).describe('A failure with at least this confidence is a sure one.'),
  lowConfidence: z.number().min(0).max(1).default(0.5).describe('A success with at most this confidence is an unsure one.'),
  deltaUnit: z
    .enum(['task', 'distance', 'emotion'])
    .default('task')
    .describe(
      'What one value of |delta pass| is in the tests between sizes and families: a model’s task and distance, its distance, or its emotion and distance.',
    ),
});
const promptseStudy = z.strictObject({
  name: name.describe('The study’s name in every table. Unique.'),
  kind: z
    .literal('promptse')
    .describe('Prompt stability under emotion and personality (PromptSE, PromptSELight). See docs/studies/promptse.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: z.array(z.string()).min(1).optional().describe('Ids of the models under study. Default: all but those with study: false.'),
  repetitions: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe('Independent draws of the original prompt: the first is the baseline, the others give the noise floor; 1 leaves it out.'),
  settings: promptseSettings.prefault({}).describe('The defaults are the paper’s.'),
});

/** RobuNFR: code asked for with non-functional requirements in many phrasings, by two versions of a model, in several workflows. */
const dimensionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'a dimension’s name: lower-case letters, digits and hyphens')
  .refine((dimension) => dimension !== 'function-only', 'function-only is the baseline; choose another name')
  .describe('A dimension’s name, in every table and in the names of variants.');
const phrasings = z.array(z.string().min(1)).min(1).max(99);
const robunfrSettings = z.strictObject({
  dimensions: z
    .array(
      z.union([
        dimensionName,
        z.strictObject({
          name: dimensionName,
          phrasings: phrasings.describe('Ways to ask for the same, each an order without a full stop.'),
        }),
        z.strictObject({ name: dimensionName, add: phrasings.describe('Phrasings after the ten of a published dimension.') }),
      ]),
    )
    .min(1)
    .default(['design', 'readability', 'reliability', 'performance'])
    .describe('Published dimensions by name, with ten phrasings each, or dimensions and phrasings of your own.'),
  prompts: z
    .union([
      z.enum(['derivative', 'figure4']),
      z.strictObject({
        'function-only': z.string().describe('Holds {problem}.'),
        'nfr-integrated': z.string().describe('Holds {problem} and {phrasing}.'),
        'nfr-enhanced': z.string().describe('Holds {code} and {phrasing}; {problem} if wanted.'),
      }),
    ])
    .default('derivative')
    .describe('What each workflow asks: derivative, figure4 (the paper’s simpler form), or texts of your own.'),
  exceptionStatements: z
    .union([z.literal('ast'), z.array(z.string().min(1)).min(1)])
    .default('ast')
    .describe(
      'What counts as exception handling: ast (except handlers and raise statements), or regular expressions, matched line by line.',
    ),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('Sampling temperature; null is not sent.'),
  topP: z.number().min(0).max(1).nullable().default(1).describe('Nucleus sampling; null is not sent.'),
  maxTokens: z.int().min(1).nullable().default(2048).describe('Most tokens of an answer; null is not sent.'),
});
const margin = z.number().min(0).default(0);
const robunfrRegressionSettings = robunfrSettings.extend({
  pairs: z
    .array(z.tuple([z.string(), z.string()]))
    .min(1)
    .describe('Versions to compare, each as [old, new]: ids of models.'),
  alpha: z.number().gt(0).lt(0.5).default(0.05).describe('Most chance of any false alarm among all comparisons of a pair.'),
  margins: z
    .strictObject({
      pass_at_1: margin.describe('Points.'),
      code_smell: margin.describe('Per ten lines.'),
      unreadability: margin.describe('Per ten lines.'),
      exception_handling: margin.describe('Per ten lines.'),
      wall_ms: margin.describe('Milliseconds.'),
      cpu_ms: margin.describe('Milliseconds.'),
      wall_ms_passing: margin.describe('Milliseconds.'),
      cpu_ms_passing: margin.describe('Milliseconds.'),
    })
    .prefault({})
    .describe('Differences up to these do not matter: no_change is a difference surely within.'),
});
const robunfrFields = {
  name: name.describe('The study’s name in every table. Unique.'),
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Ids of the models under study. Default: all but those with study: false; of a regression, those of its pairs.'),
  repetitions: z.int().min(1).max(99).default(10).describe('Function-Only answers to each task; NFR-Enhanced improves them in turn.'),
};
const robunfrPrompts = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-prompts')
    .describe('Prompt variation: the phrasings of each dimension against Function-Only (RobuNFR, RQ1). See docs/studies/robunfr.md.'),
  settings: robunfrSettings.prefault({}).describe('The defaults are the paper’s.'),
});
const robunfrRegression = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-regression')
    .describe('Two versions of a model on the same tasks and phrasings (RobuNFR, RQ2). See docs/studies/robunfr.md.'),
  settings: robunfrRegressionSettings.describe('The defaults are the paper’s.'),
});
const robunfrWorkflows = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-workflows')
    .describe('One prompt for all, or improving plain code, against Function-Only (RobuNFR, RQ3). See docs/studies/robunfr.md.'),
  settings: robunfrSettings.prefault({}).describe('The defaults are the paper’s.'),
});

/** PartialOrderEval: prompts from a bare signature to a full description; where a model needs which detail. */
const share = z.number().gt(0).lt(1);
const specificitySettings = z.strictObject({
  writer: z.string().default('rules').describe('Id of the model that writes the maximally detailed prompts, or rules, which needs none.'),
  summarizer: z.string().default('rules').describe('Id of the model that shortens them to each word limit, or rules.'),
  checker: z
    .string()
    .default('none')
    .describe('Id of the model that must solve a task from its maximal prompt, or none: then no maximal prompt is checked by solving.'),
  labeller: z.string().default('none').describe('Id of the model that labels every summary with the themes of the taxonomy, or none.'),
  secondLabeller: z.string().default('none').describe('Id of a second model that labels them too, for their agreement, or none.'),
  labelPasses: z.int().min(1).max(5).default(2).describe('Times that each labeller labels every summary, for its agreement with itself.'),
  labelAsks: z.int().min(1).max(10).default(3).describe('Most questions until an answer holds themes.'),
  taxonomy: z
    .union([z.string().min(1), taxonomySchema])
    .optional()
    .describe(
      'A taxonomy in place of the paper’s: a JSON file as data/specificity/taxonomy.json, relative to the spec, or written out here.',
    ),
  variantSet: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file with prompts to use as they are, JSON lines, plain or gzip, relative to the spec; no writer and no summarizer is asked then.',
    ),
  seed: z.int().default(0).describe('Seed of the paragraph draws and of the writer; runs with equal ones share a prompt set.'),
  wordLimits: z.array(z.int().min(1)).min(1).default([10, 25, 50, 75, 100, 150, 200]).describe('Most words of each summary.'),
  ratios: z.array(share).min(1).default([0.2, 0.4, 0.6, 0.8]).describe('Shares of paragraphs that sampling keeps.'),
  maskRatios: z.array(share).min(1).default([0.2, 0.4, 0.6, 0.8]).describe('Shares of sentences that masking takes away in one block.'),
  draws: z.int().min(1).max(16).default(4).describe('Draws of paragraphs at each ratio, and places of the block at each mask ratio.'),
  maxDraws: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('Most maximal prompts written for a task until one keeps to the rules and is solved.'),
  summaryAsks: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe('Most questions for one summary until it keeps to its limit; then it is cut and flagged.'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe(
      'Share of tasks that the checker must solve from their maximal prompts for the benchmark to be accepted; the paper’s is lost.',
    ),
  within: z.number().min(0).max(1).default(0.02).describe('x: a level is sufficient when its pass@1 is within x of the maximal prompt’s.'),
  writerTemperature: z.number().min(0).max(2).nullable().default(0.7).describe('Sampling temperature of the writer; null is not sent.'),
  summarizerTemperature: z.number().min(0).max(2).nullable().default(0.2).describe('Of the summarizer; null is not sent.'),
  roleTopP: z.number().min(0).max(1).nullable().default(0.95).describe('Nucleus sampling of writer and summarizer; null is not sent.'),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('Sampling temperature of the code; null is not sent.'),
  topP: z.number().min(0).max(1).nullable().default(null).describe('Nucleus sampling; null is not sent.'),
  maxTokens: z.int().min(1).nullable().default(8192).describe('Most tokens of an answer; null is not sent.'),
});
const specificityStudy = z.strictObject({
  name: name.describe('The study’s name in every table. Unique.'),
  kind: z
    .literal('specificity')
    .describe('How much detail a model needs: prompts from minimal to maximal (PartialOrderEval). See docs/studies/specificity.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`; every task needs a description.'),
  models: z.array(z.string()).min(1).optional().describe('Ids of the models under study. Default: all but those with study: false.'),
  repetitions: z.int().min(1).max(1000).default(1).describe('Times that every prompt is asked.'),
  settings: specificitySettings.prefault({}).describe('The defaults are the paper’s.'),
});

const budget = z
  .strictObject({
    usd: z.number().positive().optional().describe('Most USD that all calls may cost. Every model’s price must be known.'),
    tokens: z.int().positive().optional().describe('Most tokens, asked and answered.'),
  })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, 'needs usd or tokens')
  .meta({ minProperties: 1 });

export const specSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors: where the JSON Schema of this file lies.'),
  name: name.describe('The spec’s name, and the run’s id when --run gives no other.'),
  seed: z.int().default(0).describe('Everything random comes from it.'),
  providers: z
    .record(name, z.discriminatedUnion('kind', [openaiAccount, simulatorAccount]))
    .default({})
    .describe('Accounts at endpoints, by name. simulated and replay need none.'),
  models: z.array(model).min(1).describe('The models under study, and those that play a role.'),
  benchmarks: z.record(name, benchmark).describe('Files with tasks, by name.'),
  studies: z
    .array(
      z.discriminatedUnion('kind', [
        evaloopStudy,
        chainStudy,
        promptseStudy,
        robunfrPrompts,
        robunfrRegression,
        robunfrWorkflows,
        specificityStudy,
      ]),
    )
    .min(1)
    .describe('What is done with models and benchmarks.'),
  reuse: z
    .array(z.string())
    .max(0, 'answers of other runs are not reused by this version; leave it out')
    .default([])
    .describe('Ids of runs whose answers may be used instead of asking again. Not in this version: must be empty.'),
  budget: budget.optional().describe('Stops new calls cleanly when it is used up; the run can be resumed with more.'),
});

export type Spec = z.infer<typeof specSchema>;
export type SpecModel = Spec['models'][number];
export type SpecAccount = Spec['providers'][string];
export type SpecStudy = Spec['studies'][number];
