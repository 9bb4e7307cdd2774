/** What `init` writes for this study: a commented spec that runs without changes. */
import type { StudyExample } from '../rules.ts';

export const promptseExample: StudyExample = {
  file: 'promptse.yaml',
  text: `# yaml-language-server: $schema=evenkeel.schema.json
# A PromptSE study: each task in its own words and in variants of other mood, personality and distance;
# how steady is the code?
# As written, it uses simulated models and needs no key or account.
name: my-first-moods          # also the run's id: data/runs/my-first-moods
seed: 7                       # of what evenkeel draws: the order of tasks, resampling

# providers:                  # accounts at endpoints; see evaloop.yaml
#   local: { kind: openai, baseUrl: http://127.0.0.1:8000/v1 }   # vLLM gives the log-probabilities PromptSE needs

models:                       # family and sizeB are optional: the report groups by them
  - { id: steady-sim, provider: simulated, family: A, sizeB: 7,
      profile: { competence: 0.9, sensitivity: 0.02, logprobs: true } }
  - { id: touchy-sim, provider: simulated, family: B, sizeB: 30,
      profile: { competence: 0.7, sensitivity: 0.3, logprobs: true } }
  - { id: silent-sim, provider: simulated, family: B, sizeB: 2,
      profile: { competence: 0.8, sensitivity: 0.1 } }   # no log-probabilities: PromptSELight only
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

# budget: { usd: 25 }         # stops new calls when it is spent; resume the run with a larger budget
`,
};
