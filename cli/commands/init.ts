/** `init`: a commented example spec that `run` accepts as it is, with what it and an editor need beside it. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../domain/errors.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { starterBenchmark } from '../starter.ts';
import type { Terminal } from '../terminal.ts';

/** In a clone and, in the same place, in the published package. */
const specSchemaFile = fileURLToPath(new URL('../../schemas/spec.schema.json', import.meta.url));

export function init(directory: string, terminal: Terminal): ExitStatus {
  const folder = resolve(directory);
  const spec = join(folder, 'evaloop.yaml');
  if (existsSync(spec)) throw new InputError('is there already; nothing was written', { file: spec });
  mkdirSync(folder, { recursive: true });
  writeFileSync(spec, exampleSpec);
  const benchmark = join(folder, 'starter.jsonl');
  if (!existsSync(benchmark)) copyFileSync(starterBenchmark, benchmark);
  const schema = join(folder, 'evenkeel.schema.json');
  copyFileSync(specSchemaFile, schema);
  terminal.out(`wrote ${spec}, ${benchmark} and ${schema}\nnext:\n  npx evenkeel plan ${spec}\n  npx evenkeel run ${spec}`);
  terminal.document({ spec, benchmark, schema });
  return exitStatus.done;
}

const exampleSpec = `# yaml-language-server: $schema=evenkeel.schema.json
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
