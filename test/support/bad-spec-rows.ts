/**
 * Invalid specs, named by their error. A ▸ marks the position that the message must name; FOLDER is the spec's
 * folder.
 */

export const mark = '▸';

const head = 'name: nightly\n';
const models = 'models:\n  - { id: a, provider: simulated }\n';
const benchmarks = 'benchmarks:\n  b: { format: evenkeel, path: tiny.jsonl }\n';
const studies = 'studies:\n  - { name: loops, kind: evaloop, benchmark: b }\n';
export const good = head + models + benchmarks + studies;

export const withModel = (line: string): string => `${head}models:\n  - ${line}\n${benchmarks}${studies}`;
const withBenchmark = (line: string): string => `${head}${models}benchmarks:\n  ${line}\n${studies}`;
const withStudy = (line: string): string => `${head}${models}${benchmarks}studies:\n  - ${line}\n`;
const withProvider = (line: string): string => `${head}providers:\n  ${line}\n${models}${benchmarks}${studies}`;
const withAccount = (keys: string, model: string): string =>
  `${head}providers:\n  oai: { kind: openai, baseUrl: "http://h/v1", ${keys} }\nmodels:\n  - ${model}\n` +
  `${benchmarks}${studies}`;
const withKey = (line: string): string => `${good}${line}\n`;
export const json = (models_: string): string =>
  `{\n  "name": "nightly",\n  "models": ${models_},\n  "benchmarks": { "b": { "format": "evenkeel", "path": ` +
  '"tiny.jsonl" } },\n  "studies": [{ "name": "loops", "kind": "evaloop", "benchmark": "b" }]\n}\n';

const joined = (change: string): string => `b: { format: evenkeel, path: tiny.jsonl, suites: [base, { ${change} }] }`;
const settings = (text: string): string => `{ name: loops, kind: evaloop, benchmark: b, settings: { ${text} } }`;

type Row = readonly [what: string, text: string, rule: string];

const texts: readonly Row[] = [
  ['an empty file', mark, 'is empty; `evenkeel init` writes example specs'],
  ['comments only', `${mark}# later\n`, 'is empty; `evenkeel init` writes example specs'],
  ['a list instead of a map', `${mark}- name: nightly\n`, 'expected a map of keys, got a list'],
  ['words', `${mark}just words\n`, 'expected a map of keys, got text'],
  ['two documents', `${good}${mark}---\n${good}`, 'a second YAML document starts here; the file must have only one'],
  [
    'a tab',
    `${head}models:\n${mark}\t- { id: a, provider: simulated }\n`,
    'is not YAML: tabs are not allowed as indentation, use spaces',
  ],
  ['a key twice', `${good}${mark}name: again\n`, 'duplicate key name; keys must be unique'],
  [
    'a key twice in a model',
    withModel(`{ id: a, provider: simulated, ${mark}id: b }`),
    'duplicate key id; keys must be unique',
  ],
  [
    'a key twice in JSON',
    json(`[{ "id": "a", "provider": "simulated", ${mark}"id": "b" }]`),
    'duplicate key "id"; keys must be unique',
  ],
  [
    'an unknown tag',
    withKey(`seed: ${mark}!!js/function 7`),
    'is not YAML or JSON: Unresolved tag: tag:yaml.org,2002:js/function',
  ],
  ['an alias of nothing', withKey(`seed: ${mark}*seven`), 'no anchor &seven before this alias'],
  [
    'an anchor that holds itself',
    withModel(`{ id: a, provider: simulated, profile: &p { traits: ${mark}*p } }`),
    'the anchor &p contains itself',
  ],
  [
    'aliases of aliases of aliases',
    'a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, ' +
      `*b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: [${mark}*d, *d, *d, *d, *d, *d, *d, *d, *d]\n`,
    'aliases expand to more than 10000 values: write the values out',
  ],
  [
    'half of a surrogate pair',
    withModel(`{ id: ${mark}"m\\ud800", provider: simulated }`),
    'half of a surrogate pair: write the whole character',
  ],
  ['a prototype', withKey(`${mark}__proto__: { seed: 7 }`), 'unknown key "__proto__"'],
  [
    'an account named like a prototype',
    withProvider(`${mark}__proto__: { kind: openai, baseUrl: "http://h/v1" }`),
    'unknown key "__proto__"',
  ],
];

const shapes: readonly Row[] = [
  ['an unknown key', withKey(`${mark}sead: 7`), 'sead: unknown key "sead"; did you mean "seed"?'],
  [
    'a list where names are wanted',
    `${head}${models}benchmarks: ${mark}[b]\n${studies}`,
    'benchmarks: expected a map of keys, got a list',
  ],
  ['no studies', `${mark}${head}${models}${benchmarks}`, 'studies: is missing'],
  ['an empty list of models', `${head}models: ${mark}[]\n${benchmarks}${studies}`, 'models: must have at least 1 item'],
  [
    'a name that YAML takes for a number',
    `name: ${mark}2026\n${models}${benchmarks}${studies}`,
    'name: expected text, got 2026: put it in quotes',
  ],
  [
    'a name with a slash',
    `name: ${mark}a/b\n${models}${benchmarks}${studies}`,
    'name: must be letters, digits, dots, underscores, spaces and hyphens, starting with a letter or digit, got "a/b"',
  ],
  ['a seed that is not whole', withKey(`seed: ${mark}1.5`), 'seed: expected a whole number, got 1.5'],
  ['a seed that is no number', withKey(`seed: ${mark}.nan`), 'seed: expected a number, got NaN'],
  [
    'a seed that no number holds exactly',
    withKey(`seed: ${mark}9007199254740993`),
    'seed: must be an integer of at most 9007199254740991 (2^53-1), got 9007199254740993: choose a smaller one',
  ],
  [
    'a seed below them',
    withModel(`{ id: a, provider: simulated, parameters: { seed: ${mark}-12345678901234567890 } }`),
    'models.0.parameters.seed: must be an integer of at least -9007199254740991 (-2^53+1), ' +
      'got -12345678901234567890: choose a larger one',
  ],
  ['a negative budget', withKey(`budget: { usd: ${mark}-5 }`), 'budget.usd: must be above 0, got -5'],
  ['an endless budget', withKey(`budget: { usd: ${mark}.inf }`), 'budget.usd: expected a number, got Infinity'],
  ['a budget in words', withKey(`budget: { usd: ${mark}"25" }`), 'budget.usd: expected a number, got text'],
  ['a budget of nothing', withKey(`budget: ${mark}{}`), 'budget: must set usd or tokens'],
  ['a budget in euros', withKey(`budget: { ${mark}eur: 5, usd: 5 }`), 'budget.eur: unknown key "eur"'],
  [
    'answers of a run elsewhere',
    withKey(`reuse: [${mark}../last-week]`),
    'reuse.0: must be letters, digits, dots, underscores, spaces and hyphens, starting with a letter or digit, ' +
      'got "../last-week"',
  ],
];

const modelRows: readonly Row[] = [
  ['a model that is a name', withModel(`${mark}gpt-4o`), 'models.0: expected a map of keys, got text'],
  ['a model without an id', withModel(`${mark}{ provider: simulated }`), 'models.0.id: is missing'],
  [
    'an unknown key of a model',
    withModel(`{ id: a, provider: simulated, ${mark}profil: weak }`),
    'models.0.profil: unknown key "profil"; did you mean "profile"?',
  ],
  [
    'an unknown provider',
    withModel(`{ id: a, provider: ${mark}simulatd }`),
    'models.0.provider: no provider "simulatd"; did you mean "simulated"?',
  ],
  [
    'a provider unlike any',
    withModel(`{ id: a, provider: ${mark}openai }`),
    'models.0.provider: no provider "openai"; known: simulated, replay',
  ],
  [
    'two models of one id',
    withModel(`{ id: a, provider: simulated }\n  - { id: ${mark}a, provider: simulated }`),
    'models.1.id: duplicate name "a"; names must be unique',
  ],
  [
    'an unknown preset',
    withModel(`{ id: a, provider: simulated, profile: ${mark}stronk }`),
    'models.0.profile: no preset "stronk"; did you mean "strong"?',
  ],
  [
    'a preset that only every object has',
    withModel(`{ id: a, provider: simulated, profile: ${mark}constructor }`),
    'models.0.profile: no preset "constructor"; known: strong, drifting, weak, faulty, judge',
  ],
  [
    'an unknown trait',
    withModel(`{ id: a, provider: simulated, profile: { ${mark}competance: 0.5 } }`),
    'models.0.profile.competance: unknown key "competance"; did you mean "competence"?',
  ],
  [
    'a trait out of range',
    withModel(`{ id: a, provider: simulated, profile: { competence: ${mark}2 } }`),
    'models.0.profile.competence: must be at most 1, got 2',
  ],
  [
    'an unknown fault',
    withModel(`{ id: a, provider: simulated, profile: { faults: { ${mark}hangs: 0.5 } } }`),
    'models.0.profile.faults.hangs: unknown key "hangs"; did you mean "hang"?',
  ],
  [
    'a replayed model without a recording',
    withModel(`${mark}{ id: a, provider: replay }`),
    'models.0: a model with provider: replay needs "file", the recording',
  ],
  [
    'a recording that is not there',
    withModel(`{ id: a, provider: replay, file: ${mark}tiny.json }`),
    'models.0.file: no such file: FOLDER/tiny.json; did you mean "tiny.jsonl"?',
  ],
  [
    'a recording of a simulated model',
    withModel(`{ id: a, provider: simulated, file: ${mark}tiny.jsonl }`),
    'models.0.file: only a model with provider: replay may have a recording; remove this key',
  ],
  [
    'a temperature of a model out of range',
    withModel(`{ id: a, provider: simulated, parameters: { temperature: ${mark}2.5 } }`),
    'models.0.parameters.temperature: must be at most 2, got 2.5',
  ],
  [
    'an unknown parameter',
    withModel(`{ id: a, provider: simulated, parameters: { ${mark}max_tokens: 5 } }`),
    'models.0.parameters.max_tokens: unknown key "max_tokens"; did you mean "maxTokens"?',
  ],
  ...(
    [
      ['min_p: 0.1', 'min_p', 'unknown key "min_p"; did you mean "minP"?'],
      ['reasoning_effort: high', 'reasoning_effort', 'unknown key "reasoning_effort"; did you mean "reasoningEffort"?'],
      ['top_k: 5', 'top_k', 'unknown key "top_k"; did you mean "topK"?'],
    ] as const
  ).map(
    ([written, key, rule]): Row => [
      `a parameter under the name ${key}`,
      withModel(`{ id: a, provider: simulated, parameters: { ${mark}${written} } }`),
      `models.0.parameters.${key}: ${rule}`,
    ],
  ),
  [
    'an unknown reasoning effort',
    withModel(`{ id: a, provider: simulated, parameters: { reasoningEffort: ${mark}hihg } }`),
    'models.0.parameters.reasoningEffort: unknown value "hihg"; did you mean "high"?',
  ],
  [
    'a penalty out of range',
    withModel(`{ id: a, provider: simulated, parameters: { presencePenalty: ${mark}3 } }`),
    'models.0.parameters.presencePenalty: must be at most 2, got 3',
  ],
  [
    'a key of the body that evenkeel sets',
    withModel(`{ id: a, provider: simulated, parameters: { extraBody: { ${mark}reasoning_effort: high } } }`),
    'models.0.parameters.extraBody.reasoning_effort: extraBody must not hold reasoning_effort, which evenkeel sets: ' +
      'write parameters.reasoningEffort; it sets model, messages, n, stream, stream_options, max_tokens, ' +
      'max_completion_tokens, top_p, temperature, seed, logprobs, reasoning_effort, verbosity, top_k, min_p, ' +
      'presence_penalty, frequency_penalty, repetition_penalty, logit_bias, stop, service_tier, chat_template_kwargs',
  ],
  [
    'a parameter that the Responses API lacks',
    withAccount('api: responses', `{ id: a, provider: oai, parameters: { ${mark}seed: 7 } }`),
    'models.0.parameters.seed: the Responses API has no seed; remove it, or ask the model with api: chat',
  ],
  [
    'several answers of the Responses API',
    withAccount(
      'limits: {}',
      `{ id: a, provider: oai, api: responses, samplesPerRequest: ${mark}2, parameters: { seed: null } }`,
    ),
    'models.0.samplesPerRequest: the Responses API gives one answer to a request; remove this',
  ],
  [
    'an effort in the body of the Responses API',
    withAccount(
      'api: responses',
      `{ id: a, provider: oai, parameters: { extraBody: { reasoning: { ${mark}effort: low, summary: auto } } } }`,
    ),
    'models.0.parameters.extraBody.reasoning.effort: extraBody must not hold reasoning.effort, which evenkeel sets: ' +
      'write parameters.reasoningEffort; it sets model, input, stream, max_output_tokens, top_p, temperature, ' +
      'include, reasoning.effort, text.verbosity, service_tier',
  ],
  [
    'an api of a simulated model',
    withModel(`{ id: a, provider: simulated, api: ${mark}responses }`),
    'models.0.api: only a model of an account has an api; remove this key',
  ],
  [
    'an effort twice',
    withStudy(settings(`efforts: [low, ${mark}low]`)),
    'studies.0.settings.efforts.1: duplicate name "low"; names must be unique',
  ],
  [
    'a study of an effort under another’s name',
    `${withStudy(settings(`efforts: ${mark}[low, high]`))}  - { name: loops-high, kind: pass, benchmark: b }\n`,
    'studies.0.settings.efforts: makes a study loops-high, and another study has this name; rename one of them',
  ],
  [
    'a study whose name is too long with its effort',
    withStudy(`{ name: ${mark}${'x'.repeat(77)}, kind: pass, benchmark: b, settings: { efforts: [low, max] } }`),
    `studies.0.name: with its effort, ${'x'.repeat(77)}-low has 81 characters; at most 80 are allowed`,
  ],
  [
    'an effort of a model in a study at several',
    `${head}models:\n  - { id: a, provider: simulated, parameters: { reasoningEffort: ${mark}low } }\n${benchmarks}` +
      `studies:\n  - ${settings('efforts: [low, high]')}\n`,
    'models.0.parameters.reasoningEffort: study loops asks a at its own efforts; remove reasoningEffort, or list the ' +
      'models of the study without it',
  ],
  [
    'a number that JSON lacks',
    withModel(`{ id: a, provider: simulated, parameters: { extraBody: { ${mark}x: [1, .inf] } } }`),
    'models.0.parameters.extraBody.x: must be JSON, which has no .inf and no .nan',
  ],
  [
    'a price in one direction',
    withModel(`{ id: a, provider: simulated, price: ${mark}{ inputUsdPerMillion: 1 } }`),
    'models.0.price.outputUsdPerMillion: is missing',
  ],
  [
    'a model named with a space behind',
    withModel(`{ id: ${mark}"gpt-4o ", provider: simulated }`),
    'models.0.id: must not contain control characters, or a space at either end, got "gpt-4o "',
  ],
  [
    'a model named with an escape',
    withModel(`{ id: ${mark}"a\\e[31m", provider: simulated }`),
    'models.0.id: must not contain control characters, or a space at either end, got "a\\u001b[31m"',
  ],
  [
    'an environment variable in place of a value',
    withModel(`{ id: a, provider: ${mark}$PROVIDER }`),
    'models.0.provider: no provider "$PROVIDER"; known: simulated, replay',
  ],
];

export const accountRows: readonly Row[] = [
  [
    'an unknown kind of account',
    withProvider(`oai: { kind: ${mark}opanai, baseUrl: "https://h/v1" }`),
    'providers.oai.kind: unknown value "opanai"; did you mean "openai"?',
  ],
  [
    'an account without a kind',
    withProvider(`oai: ${mark}{ baseUrl: "https://h/v1" }`),
    'providers.oai.kind: is missing; must be one of openai, simulator',
  ],
  ['an account without an address', withProvider(`oai: ${mark}{ kind: openai }`), 'providers.oai.baseUrl: is missing'],
  [
    'an address without a scheme',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}api.openai.com/v1 }`),
    'providers.oai.baseUrl: must be an http or https URL that ends with the version, such as https://api.openai.com/v1',
  ],
  [
    'an address of nothing',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://[::1/v1" }`),
    'providers.oai.baseUrl: must be an http or https URL that ends with the version, such as https://api.openai.com/v1',
  ],
  [
    'a port that does not exist',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://h:99999/v1" }`),
    'providers.oai.baseUrl: has port 99999; a port is a whole number from 1 to 65535',
  ],
  [
    'port 0 of an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://[::1]:0/v1" }`),
    'providers.oai.baseUrl: has port 0; a port is a whole number from 1 to 65535',
  ],
  [
    'a line break in an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://h\\n/v1" }`),
    'providers.oai.baseUrl: must not contain white space or control characters',
  ],
  [
    'a control character in an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://h/v1\\x07" }`),
    'providers.oai.baseUrl: must not contain white space or control characters',
  ],
  [
    'an invisible character in an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"http://h/\\u200bv1" }`),
    'providers.oai.baseUrl: must not contain white space or control characters',
  ],
  [
    'credentials in an address, scheme in capitals',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"HTTPS://user:secret@h/v1" }`),
    'providers.oai.baseUrl: must not contain credentials: name an environment variable in apiKeyEnv',
  ],
  [
    'credentials in an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"https://user:secret@h/v1" }`),
    'providers.oai.baseUrl: must not contain credentials: name an environment variable in apiKeyEnv',
  ],
  [
    'a key in an address',
    withProvider(`oai: { kind: openai, baseUrl: ${mark}"https://h/v1?key=secret" }`),
    'providers.oai.baseUrl: must not contain ? or #: evenkeel appends the path after the version',
  ],
  [
    'a key in the spec',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", ${mark}apiKey: sk-secret }`),
    'providers.oai.apiKey: unknown key "apiKey"; keys are never written into a spec: put the key into an ' +
      'environment variable and name that in providers.oai.apiKeyEnv',
  ],
  [
    'a key in place of its variable',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", apiKeyEnv: ${mark}sk-secret }`),
    'providers.oai.apiKeyEnv: must be the name of an environment variable, not the key itself',
  ],
  [
    'a header in place of its variable',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", headersEnv: { Authorization: ${mark}Bearer secret } }`),
    'providers.oai.headersEnv.Authorization: must be the name of an environment variable, not the key itself',
  ],
  [
    'a header that cannot be one',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", headersEnv: { ${mark}"x team": TEAM } }`),
    'providers.oai.headersEnv.x team: must be the name of a header: letters, digits, hyphens',
  ],
  [
    'no calls at a time',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", limits: { concurrency: ${mark}0 } }`),
    'providers.oai.limits.concurrency: must be at least 1, got 0',
  ],
  [
    'an unknown limit',
    withProvider(`oai: { kind: openai, baseUrl: "https://h/v1", limits: { ${mark}requestPerMinute: 5 } }`),
    'providers.oai.limits.requestPerMinute: unknown key "requestPerMinute"; did you mean "requestsPerMinute"?',
  ],
  [
    'an account with the name of a built-in one',
    withProvider(`${mark}replay: { kind: openai, baseUrl: "https://h/v1" }`),
    'providers.replay: "replay" is a built-in provider; choose another name for the account',
  ],
  [
    'dollars for a model without a price',
    `${head}providers: { oai: { kind: openai, baseUrl: "http://h/v1" } }\nmodels:\n` +
      `  - { id: unheard-of, provider: oai }\n${benchmarks}${studies}budget: { usd: ${mark}5 }\n`,
    'budget.usd: no price known for unheard-of, so the USD budget cannot be enforced; give the model price: ' +
      '{ inputUsdPerMillion: N, outputUsdPerMillion: N }, or set budget: { tokens: N }',
  ],
];

const benchmarkRows: readonly Row[] = [
  [
    'an unknown format',
    withBenchmark(`b: { format: ${mark}mbpp-pls, path: tiny.jsonl }`),
    'benchmarks.b.format: unknown value "mbpp-pls"; did you mean "mbpp-plus"?',
  ],
  ['a benchmark without a path', withBenchmark(`b: ${mark}{ format: evenkeel }`), 'benchmarks.b.path: is missing'],
  [
    'a file that is not there',
    withBenchmark(`b: { format: evenkeel, path: ${mark}tny.jsonl }`),
    'benchmarks.b.path: no such file: FOLDER/tny.jsonl; did you mean "tiny.jsonl"?',
  ],
  [
    'a folder that is not there',
    withBenchmark(`b: { format: evenkeel, path: ${mark}no/where }`),
    'benchmarks.b.path: no such file: FOLDER/no/where; the folder FOLDER/no does not exist either',
  ],
  [
    'a path that is a folder',
    withBenchmark(`b: { format: evenkeel, path: ${mark}folder }`),
    'benchmarks.b.path: FOLDER/folder is a folder; name a file in it',
  ],
  [
    'a variable in a path',
    withBenchmark(`b: { format: evenkeel, path: ${mark}"$HOME/x" }`),
    'benchmarks.b.path: no such file: FOLDER/$HOME/x; the folder FOLDER/$HOME does not exist either',
  ],
  [
    'a suite twice',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, suites: [base, ${mark}base] }`),
    'benchmarks.b.suites.1: duplicate suite "base"; suites must be unique',
  ],
  [
    'a suite that no task has',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, suites: [${mark}bse] }`),
    'benchmarks.b.suites.0: task Tiny/1 has no suite "bse"; did you mean "base"?',
  ],
  [
    'an unknown key of a joined suite',
    withBenchmark(joined(`name: et, format: mbpp-et, ${mark}pth: tiny.jsonl, path: tiny.jsonl`)),
    'benchmarks.b.suites.1.pth: unknown key "pth"; did you mean "path"?',
  ],
  [
    'tests that are not there',
    withBenchmark(joined(`name: et, format: mbpp-et, path: ${mark}et.jsonl`)),
    'benchmarks.b.suites.1.path: no such file: FOLDER/et.jsonl',
  ],
  [
    'a task twice',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, tasks: { ids: [Tiny/0, ${mark}Tiny/0] } }`),
    'benchmarks.b.tasks.ids.1: duplicate task "Tiny/0"; list each task once',
  ],
  [
    'a limit of nothing',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, tasks: { limit: ${mark}0 } }`),
    'benchmarks.b.tasks.limit: must be at least 1, got 0',
  ],
  [
    'a limit and a sample',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, tasks: { limit: 1, sample: ${mark}2 } }`),
    'benchmarks.b.tasks.sample: means the same as limit; give only one of the two',
  ],
  [
    'a task that is not there',
    withBenchmark(`b: { format: evenkeel, path: tiny.jsonl, tasks: { ids: [Tiny/1, ${mark}Tiny/99] } }`),
    'benchmarks.b.tasks.ids.1: no task "Tiny/99" in the file; did you mean "Tiny/1"?',
  ],
  [
    'tests without tasks',
    withBenchmark(`b: { format: ${mark}mbpp-et, path: tiny.jsonl }`),
    'benchmarks.b.format: mbpp-et holds tests only; use mbpp-sanitized, with suites: [base, { name: et, format: ' +
      'mbpp-et, path: ... }]',
  ],
];

const studyRows: readonly Row[] = [
  [
    'an unknown kind of study',
    withStudy(`{ name: loops, kind: ${mark}evalop, benchmark: b }`),
    'studies.0.kind: unknown value "evalop"; did you mean "evaloop"?',
  ],
  [
    'an unknown benchmark',
    withStudy(`{ name: loops, kind: evaloop, benchmark: ${mark}mbpp }`),
    'studies.0.benchmark: no benchmark "mbpp"; known: b',
  ],
  [
    'a benchmark without what the study needs',
    `${head}${models}benchmarks:\n  b: { format: humaneval, path: tiny.jsonl }\nstudies:\n` +
      `  - { name: loops, kind: evaloop, benchmark: ${mark}b }\n`,
    "studies.0.benchmark: evaloop attaches the assert of a prompt's second-to-last line in every loop, and " +
      'humaneval has none; use one of mbpp-plus, evenkeel',
  ],
  [
    'a misspelt key of a study',
    withStudy(`{ name: loops, kind: evaloop, benchmark: b, ${mark}repetition: 2 }`),
    'studies.0.repetition: unknown key "repetition"; did you mean "repetitions"?',
  ],
  [
    'two studies of one name',
    withStudy(`{ name: l, kind: evaloop, benchmark: b }\n  - { name: ${mark}l, kind: evaloop, benchmark: b }`),
    'studies.1.name: duplicate name "l"; names must be unique',
  ],
  [
    'two studies whose names differ only in case',
    withStudy(`{ name: l, kind: evaloop, benchmark: b }\n  - { name: ${mark}L, kind: evaloop, benchmark: b }`),
    'studies.1.name: "L" and "l" differ only in case, and some systems have one folder for both; rename one',
  ],
  [
    'an unknown attack',
    withStudy(settings(`attacks: [case, ${mark}structur]`)),
    'studies.0.settings.attacks.1: no attack "structur"; did you mean "structure"?',
  ],
  [
    'a temperature twice',
    withStudy(settings(`temperatures: ${mark}[0.2, 0.2]`)),
    'studies.0.settings.temperatures: must not list a value twice',
  ],
  [
    'two timed suites of one benchmark',
    withStudy(
      `{ name: timed, kind: robunfr-prompts, benchmark: b, settings: { timedSuite: ${mark}plus } }\n` +
        '  - { name: other, kind: robunfr-prompts, benchmark: b }',
    ),
    'studies.0.settings.timedSuite: study "other" times another suite of "b"; ' +
      'studies on the same benchmark must time the same suite',
  ],
  // Red before: "expected tuple, got a map of keys", "expected tuple, got text" and "must have at least 2 items".
  ...[
    ['{ old: a, new: a }', 'a map'],
    ['a', 'a name'],
    ['[a]', 'one model'],
    ['[a, a, a]', 'three models'],
  ].map(
    ([pair, what]): Row => [
      `a pair that is ${what}`,
      withStudy(`{ name: phrasings, kind: robunfr-regression, benchmark: b, settings: { pairs: [${mark}${pair}] } }`),
      'studies.0.settings.pairs.0: must be two ids of models as a list, [old, new]',
    ],
  ),
  [
    'an unknown judge',
    withStudy(settings(`judge: ${mark}b`)),
    'studies.0.settings.judge: no model "b"; did you mean "a"?',
  ],
  [
    'an unknown judge among several',
    withStudy(settings(`judge: { models: [a, ${mark}b] }`)),
    'studies.0.settings.judge.models.1: no model "b"; did you mean "a"?',
  ],
  [
    'nobody among several judges',
    withStudy(settings(`judge: { models: [${mark}none] }`)),
    'studies.0.settings.judge.models.0: no model "none"; known: a',
  ],
  [
    'a judge twice',
    withStudy(settings(`judge: { models: ${mark}[a, a] }`)),
    'studies.0.settings.judge.models: must not list a value twice',
  ],
  [
    'no judges',
    withStudy(settings(`judge: { models: ${mark}[] }`)),
    'studies.0.settings.judge.models: must have at least 1 item',
  ],
  [
    'repeats of nobody',
    withStudy(settings(`judge: ${mark}{ repeats: 3 }`)),
    'studies.0.settings.judge.models: is missing',
  ],
  [
    'no repeat',
    withStudy(settings(`judge: { models: [a], repeats: ${mark}0 }`)),
    'studies.0.settings.judge.repeats: must be at least 1, got 0',
  ],
  [
    'two judges that are the same',
    `${head}models:\n  - { id: a, provider: simulated, model: x }\n  - { id: b, provider: simulated, model: x }\n` +
      `${benchmarks}studies:\n  - ${settings(`judge: { models: [a, ${mark}b] }`)}\n`,
    'studies.0.settings.judge.models.1: "b" is asked the same as "a" (one model at one endpoint, with the ' +
      'same parameters) and would repeat its answers; remove it, or raise repeats',
  ],
  // Red before: each was accepted, rows were doubled, and `verify` found the run damaged.
  ...[
    ['specificity', `wordLimits: [10, ${mark}10]`, 'wordLimits.1: lists 10 a second time; each level is asked once'],
    ['specificity', `ratios: [0.4, ${mark}0.40]`, 'ratios.1: lists 0.4 a second time; each level is asked once'],
    ['specificity', `maskRatios: [0.4, ${mark}0.4]`, 'maskRatios.1: lists 0.4 a second time; each level is asked once'],
    [
      'specificity',
      `labeller: a, secondLabeller: ${mark}a`,
      'secondLabeller: "a" is the labeller itself; name another model, or raise labelPasses',
    ],
  ].map(
    ([kind = '', text = '', rule = '']): Row => [
      `a repeated value: ${text}`,
      withStudy(`{ name: loops, kind: ${kind}, benchmark: b, settings: { ${text} } }`),
      `studies.0.settings.${rule}`,
    ],
  ),
  [
    'a pair of versions twice',
    `${head}models:\n  - { id: a, provider: simulated }\n  - { id: c, provider: simulated }\n${benchmarks}studies:\n` +
      `  - { name: s, kind: robunfr-regression, benchmark: b, settings: { pairs: [[a, c], ${mark}[a, c]] } }\n`,
    'studies.0.settings.pairs.1: lists a pair a second time; each is compared once',
  ],
  // Red before: accepted, and the verdict was "no change", with p 1 and half of the requests.
  [
    'two versions that ask alike',
    `${head}providers:\n  p: { kind: openai, baseUrl: 'http://localhost:1/v1' }\nmodels:\n` +
      '  - { id: a, provider: p, model: x }\n  - { id: b, provider: p, model: x, parameters: { temperature: 0 } }\n' +
      `${benchmarks}studies:\n  - { name: s, kind: robunfr-regression, benchmark: b, settings: ` +
      `{ pairs: [${mark}[a, b]] } }\n`,
    'studies.0.settings.pairs.0: "b" is asked the same as "a" (one model at one endpoint, with the same parameters), ' +
      'and each request is asked once: they would have the same answers; name two versions, or ask them in two runs ' +
      'and compare these',
  ],
  [
    'an unknown setting',
    withStudy(settings(`${mark}maxLoop: 3`)),
    'studies.0.settings.maxLoop: unknown key "maxLoop"; did you mean "maxLoops"?',
  ],
  [
    'too many loops',
    withStudy(settings(`maxLoops: ${mark}101`)),
    'studies.0.settings.maxLoops: must be at most 100, got 101',
  ],
  [
    'a model that is not there',
    withStudy(`{ name: loops, kind: evaloop, benchmark: b, models: [${mark}gpt-4o] }`),
    'studies.0.models.0: no model "gpt-4o"; known: a',
  ],
  [
    'a model twice in a study',
    withStudy(`{ name: loops, kind: evaloop, benchmark: b, models: [a, ${mark}a] }`),
    'studies.0.models.1: duplicate name "a"; names must be unique',
  ],
  [
    'sure failures below unsure successes',
    withStudy(
      `{ name: moods, kind: promptse, benchmark: b, settings: { highConfidence: ${mark}0.2, lowConfidence: 0.8 } }`,
    ),
    'studies.0.settings.highConfidence: must be at least lowConfidence (0.8), got 0.2',
  ],
  [
    'no model to study',
    `${head}models:\n  - { id: a, provider: simulated, study: false }\n${benchmarks}studies:\n` +
      `  - ${mark}{ name: loops, kind: evaloop, benchmark: b }\n`,
    'studies.0: has no model to study: every model has study: false or is not in its list of models',
  ],
  [
    'settings through an alias',
    withStudy(settings(`maxLoops: &m 500, judgeAsks: ${mark}*m`)),
    'studies.0.settings.judgeAsks: must be at most 10, got 500',
  ],
];

const jsonRows: readonly Row[] = [
  [
    'a wrong type in JSON',
    json(`[{ "id": ${mark}7, "provider": "simulated" }]`),
    'models.0.id: expected text, got 7: put it in quotes',
  ],
  [
    'an unknown provider in JSON',
    json(`[{ "id": "a", "provider": ${mark}"simulatd" }]`),
    'models.0.provider: no provider "simulatd"; did you mean "simulated"?',
  ],
  [
    'JSON that is cut off',
    `{ "name": "nightly", "models": [${mark}`,
    'is not YAML or JSON: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
];

export const rows = [...texts, ...shapes, ...modelRows, ...accountRows, ...benchmarkRows, ...studyRows, ...jsonRows];
