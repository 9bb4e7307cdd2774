/** What `init` writes for this study: a commented spec that runs without changes. */
import type { StudyExample } from '../rules.ts';

export const specificityExample: StudyExample = {
  file: 'specificity.yaml',
  text: `# yaml-language-server: $schema=evenkeel.schema.json
# A PartialOrderEval study: each task in prompts from a bare signature to a full description;
# how much detail does a model need?
# As written, it uses simulated models and needs no key or account.
name: my-first-detail         # also the run's id: data/runs/my-first-detail
seed: 7                       # of what evenkeel draws: the order of tasks, resampling

# providers:                  # accounts at endpoints; see evaloop.yaml

models:                       # family and sizeB are optional: the report compares sizes of a family
  - { id: small-sim, provider: simulated, family: A, sizeB: 1,
      profile: { competence: 0.7, detailNeed: { words: 150, floor: 0.1 } } }
  - { id: large-sim, provider: simulated, family: A, sizeB: 14,
      profile: { competence: 0.9, detailNeed: { words: 40, floor: 0.3 } } }
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

# budget: { usd: 25 }         # stops new calls when it is spent; resume the run with a larger budget
`,
};
