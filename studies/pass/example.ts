/** What `init` writes for this study: a commented spec that runs without changes. */
import type { StudyExample } from '../rules.ts';

export const passExample: StudyExample = {
  file: 'pass.yaml',
  text: `# yaml-language-server: $schema=evenkeel.schema.json
# Plain pass@k: each task is sampled several times. How often does a model pass, how often does it always pass,
# and does a repetition of everything give the same result? The baseline of every other study.
# As written, it uses simulated models and needs no key or account.
name: my-first-pass           # also the run's id: data/runs/my-first-pass
seed: 7                       # of what evenkeel draws: the order of tasks, resampling

# providers:                  # accounts at endpoints; see evaloop.yaml

models:
  - { id: strong-sim, provider: simulated, profile: strong }
  - { id: weak-sim, provider: simulated, profile: weak }
  # - { id: published, provider: replay, file: replies.jsonl }   # from: evenkeel import samples.jsonl --format samples

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 8 } }   # paths are relative to this file
  # he: { format: humaneval-plus, path: HumanEvalPlus.jsonl.gz }            # suites base and plus

studies:
  - name: plain
    kind: pass
    benchmark: starter
    repetitions: 2            # independent repetitions of all samples
    settings:
      samples: 5              # n; 200 in Chen et al. (2021)
      ks: [1, 5]              # pass@k and pass^k
      temperatures: [0.2, 0.8]

# budget: { usd: 25 }         # stops new calls when it is spent; resume the run with a larger budget
`,
};
