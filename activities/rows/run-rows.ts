/** Rows of the tables that belong to the whole run: models, settings, tasks, suites. */
import type { Row } from '../../schemas/tables.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { problemSha256, testsSha256 } from '../../domain/benchmarks/format.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import { studyOf } from '../../studies/index.ts';
import { studyModels } from '../../studies/plan.ts';
import { limitsRule, referenceKey } from '../judging/execution-key.ts';
import { ruledOutcome } from '../judging/missing-package.ts';
import { judgedCases } from '../judging/suite-cases.ts';
import type { Run } from '../runs/opened/run.ts';
import { otherModels } from '../calls/versions.ts';

export async function modelRows(run: Run): Promise<Row[]> {
  const asked = (id: string) => run.model(id).requestedModel;
  const others = new Map((await otherModels(run.ledger, asked)).map(({ model, names }) => [model, names]));
  const rows = run.spec.models.map(async (spec): Promise<Row> => {
    const model = run.model(spec.id);
    const provider = await model.provider();
    return {
      run: run.runId,
      model: spec.id,
      provider: spec.provider,
      kind: provider.kind,
      endpoint: provider.endpointIdentity,
      requested_model: model.requestedModel,
      family: spec.family ?? null,
      size_b: spec.sizeB ?? null,
      training: spec.training ?? null,
      version: spec.version ?? null,
      effort: spec.parameters?.reasoningEffort ?? null,
      roles: rolesOf(run, spec.id).join(','),
      other_models: others.get(spec.id)?.join(', ') ?? null,
      simulated: model.simulated,
    };
  });
  return Promise.all(rows);
}

function rolesOf(run: Run, model: string): string[] {
  const studied = run.spec.studies.some((study) => studyModels(run.spec, study).includes(model));
  const roles = run.spec.studies.flatMap((study) => studyOf(study).roles(study)).filter((role) => role.model === model);
  return [...(studied ? ['study'] : []), ...new Set(roles.map(({ role }) => role))];
}

export const settingRows = (run: Run): Row[] =>
  run.spec.studies.flatMap((study) =>
    (studyOf(study).settingNames?.(study) ?? ['default']).map((setting) => settingRow(run, study, setting)),
  );

function settingRow(run: Run, study: SpecStudy, setting: string): Row {
  const facts = studyOf(study).settingFacts?.(study, setting) ?? {};
  const {
    temperature = temperatureOf(study),
    max_loops = null,
    judges: { models: judges, repeats } = { models: [], repeats: 0 },
    summary_prompt = null,
    pair = null,
  } = facts;
  return {
    run: run.runId,
    study: study.name,
    setting,
    kind: study.kind,
    temperature,
    top_p: study.settings.topP,
    max_tokens: study.settings.maxTokens,
    effort: effortOf(study),
    prompt_version: studyOf(study).promptVersion,
    max_loops,
    judge: judges.length === 0 ? null : judges.join(', '),
    judge_repeats: judges.length === 0 ? null : repeats,
    summary_prompt,
    pair,
    simulated: judges.length === 0 ? null : judges.some((judge) => run.model(judge).simulated),
  };
}

/** Null for a study without a temperature of its own: each of its settings may state one. */
const temperatureOf = ({ settings }: SpecStudy): number | null =>
  'temperature' in settings ? settings.temperature : null;

export const taskRows = (run: Run): Row[] =>
  tasksOf(run).map(({ benchmark, task }) => ({
    run: run.runId,
    benchmark,
    task_id: task.taskId,
    language: task.language,
    source_task_id: task.sourceTaskId,
    entry_point: task.entryPoint,
    prompt: task.prompt,
    record_sha256: task.recordSha256,
    plain_sha256: task.plainSha256 ?? task.recordSha256,
    problem_sha256: problemSha256(task),
    left_out: leftOutText(run, benchmark, task.taskId),
  }));

function leftOutText({ spec, manifest }: Run, benchmark: string, taskId: string): string | null {
  const reasons = spec.studies.flatMap(({ name, benchmark: own, maxReferenceMs }) => {
    const left = own === benchmark ? manifest.leftOut?.[name]?.find((one) => one.taskId === taskId) : undefined;
    return left === undefined
      ? []
      : [`${name}: its reference takes ${left.referenceMs} ms, more than ${maxReferenceMs}`];
  });
  return reasons.length === 0 ? null : reasons.join('; ');
}

/** Suites whose reference was run; a run that stopped before its references has fewer. */
export async function suiteRows(run: Run): Promise<Row[]> {
  const planned = tasksOf(run);
  const keys = planned.flatMap(({ task }) => task.suites.map((suite) => referenceKey(run.sandbox, task, suite)));
  const references = await run.ledger.references(keys);
  return planned.flatMap(({ benchmark, task }) =>
    task.suites.flatMap((suite) => {
      const reference = references.get(referenceKey(run.sandbox, task, suite));
      if (!reference) return [];
      const finished = reference.caseMs.length === suite.inputs.length;
      return [
        {
          run: run.runId,
          benchmark,
          task_id: task.taskId,
          language: task.language,
          suite: suite.name,
          n_cases: suite.inputs.length,
          n_cases_judged: judgedCases(suite, reference),
          tests_sha256: testsSha256(suite),
          reference_outcome: ruledOutcome(reference.outcome, suite),
          limits: limitsRule(suite),
          reference_wall_ms: finished ? reference.caseMs.reduce((sum, ms) => sum + ms, 0) : null,
        },
      ];
    }),
  );
}

const tasksOf = (run: Run) =>
  Object.keys(run.spec.benchmarks).flatMap((benchmark) =>
    [...run.tasks(benchmark).values()].map((task) => ({ benchmark, task })),
  );
