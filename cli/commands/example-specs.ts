/** The specs that `init` writes: one per study, each of which `run` accepts as it is. */

const evaloop = `# yaml-language-server: $schema=evenkeel.schema.json
# An EVALOOP study: a model writes code, summarizes it, writes code from the summary, until the code fails.
# As it stands it asks simulated models, without key or account.
name: my-first-loops          # also the run's id: data/runs/my-first-loops
seed: 7                       # everything random comes from it

# Accounts at endpoints; limits belong to them. Keys are named, never written here.
# providers:
#   oai: { kind: openai, baseUrl: https://api.openai.com/v1, apiKeyEnv: OPENAI_API_KEY, limits: { concurrency: 16 } }
#   local: { kind: openai, baseUrl: http://127.0.0.1:8000/v1 }        # vLLM, llama.cpp, Ollama: no key

models:
  - { id: steady-sim, provider: simulated, profile: { competence: 0.9, driftPerLoop: 0.02 } }
  - { id: drifting-sim, provider: simulated, profile: drifting }      # presets: strong, drifting, weak, faulty, judge
  - { id: judge-sim, provider: simulated, profile: judge, study: false }   # plays a role only
  # - { id: gpt-4o, provider: oai, model: gpt-4o-2024-11-20, family: GPT }
  # - { id: recorded, provider: replay, file: replies/recorded.jsonl }

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl }                  # paths are relative to this file
  # mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz, tasks: { limit: 50 } }

studies:
  - name: loops
    kind: evaloop
    benchmark: starter
    settings:
      maxLoops: 10            # M: a task that passes M loops has survived
      judge: judge-sim        # scores how far the prompt drifted where a task broke; or none
      temperature: 0
      maxTokens: 1024

# budget: { usd: 25 }         # stops new calls cleanly; the run can be resumed with more
`;

const promptse = `# yaml-language-server: $schema=evenkeel.schema.json
# A PromptSE study: each task in its own words and in variants of other mood, personality and distance; how steady is the code?
# As it stands it asks simulated models, without key or account.
name: my-first-moods          # also the run's id: data/runs/my-first-moods
seed: 7                       # everything random comes from it

# providers:                  # accounts at endpoints; see evaloop.yaml
#   local: { kind: openai, baseUrl: http://127.0.0.1:8000/v1 }        # vLLM gives the log-probabilities that PromptSE needs

models:                       # family and sizeB are optional: the report groups by them
  - { id: steady-sim, provider: simulated, family: A, sizeB: 7, profile: { competence: 0.9, sensitivity: 0.02, logprobs: true } }
  - { id: touchy-sim, provider: simulated, family: B, sizeB: 30, profile: { competence: 0.7, sensitivity: 0.3, logprobs: true } }
  - { id: silent-sim, provider: simulated, family: B, sizeB: 2, profile: { competence: 0.8, sensitivity: 0.1 } }   # no log-probabilities: PromptSELight only
  # - { id: qwen-7b, provider: local, model: Qwen/Qwen2.5-Coder-7B-Instruct, family: Qwen, sizeB: 7 }

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 8 } }   # paths are relative to this file
  # he: { format: humaneval, path: HumanEval.jsonl.gz }
  # mbpp: { format: mbpp-sanitized, path: sanitized-mbpp.json }

studies:
  - name: moods
    kind: promptse
    benchmark: starter
    repetitions: 3            # draws of the original: the baseline, and two more for the noise floor
    settings:
      variants: 4             # per distance 0.1, 0.2, 0.3; 30 in the paper
      samples: 8              # answers to each prompt; 16 in the paper
      temperature: 0.2
      rewriter: rules         # or the id of a model that words the variants

# budget: { usd: 25 }         # stops new calls cleanly; the run can be resumed with more
`;

const specificity = `# yaml-language-server: $schema=evenkeel.schema.json
# A PartialOrderEval study: each task in prompts from a bare signature to a full description; how much detail does a model need?
# As it stands it asks simulated models, without key or account.
name: my-first-detail         # also the run's id: data/runs/my-first-detail
seed: 7                       # everything random comes from it

# providers:                  # accounts at endpoints; see evaloop.yaml

models:                       # family and sizeB are optional: the report compares sizes of a family
  - { id: small-sim, provider: simulated, family: A, sizeB: 1, profile: { competence: 0.7, detailNeed: { words: 150, floor: 0.1 } } }
  - { id: large-sim, provider: simulated, family: A, sizeB: 14, profile: { competence: 0.9, detailNeed: { words: 40, floor: 0.3 } } }
  # - { id: writer, provider: oai, model: gpt-4.1-2025-04-14, study: false }   # plays a role only

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 8 } }   # paths are relative to this file
  # he: { format: humaneval, path: HumanEval.jsonl.gz }

studies:
  - name: detail
    kind: specificity
    benchmark: starter
    settings:
      writer: rules           # or the id of a model that writes the maximal prompts
      summarizer: rules       # or the id of a model that shortens them
      checker: none           # or the id of a model that must solve each task from its maximal prompt
      labeller: none          # or the id of a model that labels the summaries by theme
      wordLimits: [10, 25, 50, 100]   # 10, 25, 50, 75, 100, 150, 200 in the paper
      draws: 2                # of paragraphs, and places of the masked block; 4 in the paper

# budget: { usd: 25 }         # stops new calls cleanly; the run can be resumed with more
`;

const robunfr = `# yaml-language-server: $schema=evenkeel.schema.json
# A RobuNFR study: the same function asked for plainly and with requirements in many phrasings, of two versions of a model, in two workflows.
# As it stands it asks simulated models, without key or account. On the embedded sandbox it has pass only; quality and time need the container one.
name: my-first-requirements   # also the run's id: data/runs/my-first-requirements
seed: 7                       # everything random comes from it

# providers:                  # accounts at endpoints; see evaloop.yaml

models:
  - { id: old-sim, provider: simulated, profile: { competence: 0.9, sensitivity: 0.05 } }
  - { id: new-sim, provider: simulated, profile: { competence: 0.7, sensitivity: 0.2 } }
  # - { id: gpt-4o-new, provider: oai, model: gpt-4o-2024-08-06 }

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 8 } }   # paths are relative to this file
  # he: { format: humaneval, path: HumanEval.jsonl.gz, suites: [base, { name: et, format: humaneval-et, path: HumanEval_ET.jsonl }] }
  # mbpp: { format: mbpp-sanitized, path: sanitized-mbpp.json, suites: [base, { name: et, format: mbpp-et, path: MBPP_ET.jsonl }] }

studies:
  - name: update              # RQ2: is the new version better or worse, and in what? robunfr-prompts (RQ1) is the same without pairs
    kind: robunfr-regression
    benchmark: starter
    repetitions: 3            # plain answers to each task, the baseline; 10 in the paper
    settings:
      pairs: [[old-sim, new-sim]]
      dimensions:             # default: design, readability, reliability, performance, ten phrasings each
        - { name: reliability, phrasings: [Incorporate various error handling techniques, Handle all possible errors] }
        - { name: security, phrasings: [Guard against hostile input] }   # one of your own
      margins: { pass_at_1: 2 }   # points of pass that do not matter
  - name: ways                # RQ3: ask at once, or improve the plain code?
    kind: robunfr-workflows
    benchmark: starter
    models: [old-sim]
    repetitions: 2
    settings: { dimensions: [{ name: readability, phrasings: [Make the code easy to read, Use clear names] }] }

# budget: { usd: 25 }         # stops new calls cleanly; the run can be resumed with more
# then: evenkeel gate my-first-requirements --policy policy.yaml   (docs/ci.md)
`;

/** By file name, the first one first. */
export const exampleSpecs = {
  'evaloop.yaml': evaloop,
  'promptse.yaml': promptse,
  'robunfr.yaml': robunfr,
  'specificity.yaml': specificity,
} as const;
