/** What `init` writes for this study: a commented spec that runs without changes. */
import type { StudyExample } from '../rules.ts';

export const evaloopExample: StudyExample = {
  file: 'evaloop.yaml',
  text: `# yaml-language-server: $schema=evenkeel.schema.json
# An EVALOOP study: a model writes code, summarizes it, and writes code from the summary again, until the code fails.
# As written, it uses simulated models and needs no key or account.
name: my-first-loops          # also the run's id: data/runs/my-first-loops
seed: 7                       # of what evenkeel draws: the order of tasks, resampling

# Accounts at endpoints, with their limits. Name the variable that holds a key; never write a key here.
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

# budget: { usd: 25 }         # stops new calls when it is spent; resume the run with a larger budget
`,
};
