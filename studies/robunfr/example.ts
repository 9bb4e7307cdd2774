/** What `init` writes for this study: a commented spec that runs without changes. */
import type { StudyExample } from '../rules.ts';

export const robunfrExample: StudyExample = {
  file: 'robunfr.yaml',
  text: `# yaml-language-server: $schema=evenkeel.schema.json
# A RobuNFR study: models write the same function plainly and with requirements in many phrasings; compares two versions
# of a model, and two workflows. As written, it uses simulated models and needs no key or account. The embedded sandbox
# measures pass only; quality and time need the container or the bubblewrap sandbox.
name: my-first-requirements   # also the run's id: data/runs/my-first-requirements
seed: 7                       # of what evenkeel draws: the order of tasks, resampling

# providers:                  # accounts at endpoints; see evaloop.yaml

models:
  - { id: old-sim, provider: simulated, profile: { competence: 0.9, sensitivity: 0.05 } }
  - { id: new-sim, provider: simulated, profile: { competence: 0.7, sensitivity: 0.2 } }
  # - { id: gpt-4o-new, provider: oai, model: gpt-4o-2024-08-06 }

benchmarks:
  starter: { format: evenkeel, path: starter.jsonl, tasks: { limit: 8 } }   # paths are relative to this file
  # he: { format: humaneval, path: HumanEval.jsonl.gz,
  #       suites: [base, { name: et, format: humaneval-et, path: HumanEval_ET.jsonl }] }
  # mbpp: { format: mbpp-sanitized, path: sanitized-mbpp.json,
  #         suites: [base, { name: et, format: mbpp-et, path: MBPP_ET.jsonl }] }

studies:
  # RQ2: is the new version better or worse, and in what? robunfr-prompts (RQ1) is the same without pairs
  - name: update
    kind: robunfr-regression
    benchmark: starter
    repetitions: 3            # plain answers to each task, the baseline; 10 in the paper
    settings:
      pairs: [[old-sim, new-sim]]
      dimensions:             # default: design, readability, reliability, performance, ten phrasings each
        - { name: reliability, phrasings: [Incorporate various error handling techniques, Handle all possible errors] }
        - { name: security, phrasings: [Guard against hostile input] }   # a new dimension
      margins: { pass_at_1: 2 }   # differences of up to 2 points do not count
  - name: ways                # RQ3: state the requirement at once, or improve plain code?
    kind: robunfr-workflows
    benchmark: starter
    models: [old-sim]
    repetitions: 2
    settings: { dimensions: [{ name: readability, phrasings: [Make the code easy to read, Use clear names] }] }

# budget: { usd: 25 }         # stops new calls when it is spent; resume the run with a larger budget
# then: evenkeel gate my-first-requirements --policy policy.yaml   (docs/ci.md)
`,
};
