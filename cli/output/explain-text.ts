/** `explain` as text: a line or a block per fact, in the order in which an answer comes about. */
import type { JudgedAgain } from '../../activities/judging/judge-again.ts';
import type { ExplainedAnswer } from '../../analysis/explain/explanation.ts';
import type { FoundRow } from '../../analysis/explain/find-row.ts';
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { withShownEnd } from './terminal.ts';

export interface ExplainedText {
  readonly manifest: Manifest;
  readonly found: FoundRow;
  readonly answers: readonly ExplainedAnswer[];
  /** Answers behind the row that are not shown. */
  readonly more: number;
}

export function explainedLines({ manifest, found, answers, more }: ExplainedText): string[] {
  return [
    ...runLines(manifest),
    ...(found.row === null ? [] : rowLines(found.table, found.row)),
    ...(answers.length === 0 ? ['', 'no answer of a model is behind this row'] : []),
    ...answers.flatMap((answer) => ['', ...answerLines(manifest, answer)]),
    ...(more === 0 ? [] : ['', `and ${counted(more, 'more answer')} behind this row: add --answers N`]),
  ];
}

const missing = 'not recorded';
const indent = 11;
const line = (name: string, text: string): string => `${name.padEnd(indent)}${text}`;

/** A text of several lines, moved to the right. */
const block = (name: string, text: string): string[] =>
  text.split('\n').map((one, place) => line(place === 0 ? name : '', one).trimEnd());

const shown = (value: Row[string] | undefined): string =>
  value === null || value === undefined ? missing : String(value);

/** `name value`, with commas between; without those that are null. */
const facts = (row: Row, columns: readonly string[]): string =>
  columns
    .flatMap((column) => (row[column] == null ? [] : [`${column.replaceAll('_', ' ')} ${String(row[column])}`]))
    .join(', ');

function runLines({ runId, uuid, spec, specFile, createdAt, versions, plan }: Manifest): string[] {
  const programs = [...new Set(plan.flatMap(({ programVersion }) => programVersion ?? []))];
  return [
    line('run', `${runId} (${uuid}), created ${createdAt}, seed ${spec.seed}${specFile ? `, spec ${specFile}` : ''}`),
    line('program', `planned by evenkeel ${programs.length === 0 ? missing : programs.join(', ')}`),
    line('versions', `scoring ${versions.scorer}, tables ${versions.tables ?? missing}, prices ${versions.prices}`),
  ];
}

const rowLines = (table: string, row: Row): string[] => [
  '',
  line('row', `of table ${table}`),
  ...Object.entries(row).map(([column, value]) => line('', `${column}: ${value === null ? 'null' : String(value)}`)),
];

const answerLines = (manifest: Manifest, answer: ExplainedAnswer): string[] => [
  line('answer', answer.address),
  ...originLines(answer),
  ...promptLines(manifest, answer),
  ...callLines(answer),
  ...replyLines(answer),
  ...(answer.sample['extraction'] === null ? [] : judgedAnswerLines(answer)),
];

function originLines({ sample, dataSet, task }: ExplainedAnswer): string[] {
  const place = facts(sample, ['study', 'model', 'variant', 'setting', 'repetition', 'step', 'loop', 'ask', 'sample']);
  return [
    line('', place),
    line(
      'data set',
      dataSet === null
        ? missing
        : `${shown(sample['benchmark'])} (${dataSet.format}, ${dataSet.tasks} tasks), ` +
            `file SHA-256 ${dataSet.sourceSha256}`,
    ),
    ...Object.entries(dataSet?.joinedSha256 ?? {}).map(([suite, hash]) => line('', `suite ${suite} from ${hash}`)),
    line(
      'task',
      task === null
        ? missing
        : `${shown(task['task_id'])} (${shown(task['source_task_id'])} in its file), ${shown(task['language'])}, ` +
            `${shown(task['entry_point'])}, record SHA-256 ${shown(task['record_sha256'])}`,
    ),
    ...(dataSet === null ? [] : [line('', `records: ${dataSet.file}`)]),
  ];
}

/** Columns of table `variants` that say how a prompt came about. */
const variantColumns = [
  ...['kind', 'parent_variant', 'rewriter', 'template_version', 'attack', 'distance', 'emotion', 'augmentation'],
  ...['level', 'draw', 'attempts', 'edit_distance', 'status', 'reason'],
];

function promptLines({ versions, spec }: Manifest, answer: ExplainedAnswer): string[] {
  const { sample, messages, variant, parent, setting } = answer;
  const study = String(sample['study']);
  const from = parent === null ? 'the task' : `answer ${parent}`;
  return [
    line('prompt', `made from ${from}, texts ${versions.prompts[study] ?? missing}, seed ${spec.seed}`),
    line('', `SHA-256 ${shown(sample['prompt_sha256'])}`),
    ...(variant === null ? [] : [line('', `variant: ${facts(variant, variantColumns)}`)]),
    ...(setting === null
      ? []
      : [line('', `setting: ${facts(setting, ['kind', 'summary_prompt', 'pair', 'judge', 'max_loops'])}`)]),
    ...messages.flatMap(({ role, content }) => block(role, content)),
  ];
}

function callLines({ sample, model, calls }: ExplainedAnswer): string[] {
  const [call, ...others] = calls;
  return [
    line('model', `${shown(sample['answering_model'])}: requested ${shown(model?.['requested_model'])}`),
    line('', `endpoint ${shown(model?.['endpoint'])}${model?.['simulated'] === true ? ', simulated' : ''}`),
    ...(call === undefined ? [line('call', missing)] : usedCallLines(sample, call)),
    ...others.map((one) => line('', `also ${shown(one['status'])}: ${facts(one, ['failure', 'usd', 'started_at'])}`)),
  ];
}

function usedCallLines(sample: Row, call: Row): string[] {
  const cost =
    call['cost_basis'] === 'free'
      ? 'free'
      : `${call['usd'] == null ? 'unknown price' : `$${String(call['usd'])}`} (${shown(call['cost_basis'])}), ` +
        `prices of ${shown(call['price_date'])}`;
  return [
    line('', `returned ${shown(call['returned_model'])}, fingerprint ${shown(call['fingerprint'])}`),
    line('parameters', shown(call['parameters_sent'])),
    line('call', `${shown(call['call_key'])}, sent ${shown(call['started_at'])}`),
    ...(call['origin'] == null ? [] : [line('', `copied from run ${String(call['origin'])}`)]),
    line('', `request id ${shown(sample['request_id'])}, headers ${shown(sample['response_headers'])}`),
    line('', facts(call, ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens', 'latency_ms'])),
    line('cost', cost),
    line('asked by', `evenkeel ${shown(call['program'])}`),
  ];
}

const replyLines = ({ sample }: ExplainedAnswer): string[] => [
  line('reply', shown(sample['reply_status'])),
  ...block('', String(sample['reply'] ?? '')),
];

function judgedAnswerLines({ sample, verdicts }: ExplainedAnswer): string[] {
  const { solution } = sample;
  return [
    line('extraction', `${shown(sample['extraction'])}, rule ${shown(sample['extraction_rule'])}`),
    ...(typeof solution === 'string'
      ? [line('program', `SHA-256 ${shown(sample['program_sha256'])}`), ...block('', solution)]
      : [line('program', 'none')]),
    ...verdicts.flatMap(verdictLines),
  ];
}

function verdictLines(verdict: Row): string[] {
  const { suite, outcome, n_cases: cases, first_failing_case: failing } = verdict;
  const place = failing == null ? '' : `, case ${Number(failing) + 1} of ${shown(cases)} failed`;
  const optional = (name: string, column: string): string[] =>
    verdict[column] == null ? [] : block('', `${name}: ${withShownEnd(String(verdict[column]))}`);
  return [
    line('verdict', `suite ${String(suite)}: ${String(outcome)}${place}`),
    ...optional('input', 'failing_input'),
    ...optional('expected', 'expected'),
    ...optional('got', 'got'),
    ...(verdict['expected'] == null && verdict['got'] == null ? optional('detail', 'detail') : []),
    ...optional('limits', 'limits'),
    ...(verdict['engine'] == null
      ? []
      : [line('', facts(verdict, ['tier', 'lane', 'engine', 'image_digest', 'cpu_ms', 'wall_ms', 'memory_bytes']))]),
  ];
}

/** A reply that was judged again. */
export function judgedLines({ status, extraction, rule, code, verdicts }: JudgedAgain): string[] {
  return [
    line('reply', status),
    line('extraction', `${extraction}, rule ${rule}`),
    ...(code === null ? [line('program', 'none')] : block('program', code)),
    ...verdicts.map(({ suite, outcome, firstFailingCase, detail }) => {
      const place = firstFailingCase === null ? '' : `, case ${firstFailingCase + 1} failed`;
      return line('verdict', `suite ${suite}: ${outcome}${place}${detail === null ? '' : `: ${withShownEnd(detail)}`}`);
    }),
  ];
}
