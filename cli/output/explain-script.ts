/** A shell script that asks one question of a run again, word for word, and judges the answer as the run did. */
import { openAiApis } from '../../activities/providers/openai-apis.ts';
import type { ExplainedAnswer } from '../../analysis/explain/explanation.ts';
import { InputError } from '../../domain/errors.ts';
import { apiOf } from '../../domain/spec/provider-facts.ts';
import type { ChatMessage, ChatRequest } from '../../schemas/chat.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import { commandName } from '../command-name.ts';
import { quoted } from '../../activities/storage/files/quoted.ts';
import { runsDirOption } from '../runs-dir-option.ts';

/** @param id of the run, whose folder the script needs for judging */
export function againScript(id: string, runsDir: string, manifest: Manifest, answer: ExplainedAnswer): string {
  const { spec, runId } = manifest;
  const { sample, calls, verdicts } = answer;
  const model = spec.models.find(({ id: name }) => name === sample['answering_model']);
  const account = spec.providers[model?.provider ?? ''];
  const explain = `${commandName()} explain ${quoted(id)} ${quoted(answer.address)}${runsDirOption(runsDir)}`;
  const judges = sample['extraction'] !== null;
  const outcomes = verdicts.map(({ suite, outcome }) => `${String(suite)} ${String(outcome)}`).join(', ');
  const head = [
    '#!/usr/bin/env bash',
    `# Run ${runId}, answer ${answer.address}: ${String(sample['model'])} on ${String(sample['task_id'])}.`,
    `# Asked ${said(calls[0]?.['started_at'])} by evenkeel ${said(calls[0]?.['program'])}.`,
    ...(judges ? [`# Its verdicts then: ${outcomes || 'none'}`] : []),
    'set -euo pipefail',
    '',
  ];
  if (account === undefined || model === undefined) {
    if (!judges) throw new InputError('a recording or a simulated model answered, and nothing was judged');
    return [
      ...head.map(commentSafe),
      '# A recording or a simulated model answered: the recorded reply is judged again.',
      `${explain} --judge recorded`,
    ].join('\n');
  }
  const { baseUrl, apiKeyEnv, headersEnv = {} } = account;
  const api = openAiApis[apiOf(spec, model)];
  const address = `${baseUrl.replace(/\/+$/, '')}${api.route}`;
  return [
    ...head.map(commentSafe),
    'reply=$(mktemp)',
    'trap \'rm -f "$reply"\' EXIT',
    `curl --silent --show-error --fail-with-body --output "$reply" ${quoted(address)} \\`,
    "  --header 'content-type: application/json' \\",
    ...(apiKeyEnv === undefined ? [] : [secretHeader('authorization: Bearer ', apiKeyEnv)]),
    ...Object.entries(headersEnv).map(([name, variable]) => secretHeader(`${name}: `, variable)),
    // Without -binary: curl then leaves out the line end after the request.
    '  --data @- <<\'REQUEST\' || { cat "$reply" >&2; exit 1; }',
    JSON.stringify(api.body(requestOf(answer))),
    'REQUEST',
    judges ? `${explain} --judge "$reply"` : 'cat "$reply"',
  ].join('\n');
}

const said = (value: Row[string] | undefined): string => (value == null ? '(not recorded)' : String(value));

/** Names come from specs and files: a line end would end the comment. */
const commentSafe = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]/g, ' ');

/** Other users of the machine see the words of a command, but not what it reads. */
const secretHeader = (name: string, variable: string): string =>
  `  --header @<(printf '%s%s\\n' ${quoted(name)} "$${variable}") \\`;

function requestOf({ model, messages, calls }: ExplainedAnswer): ChatRequest {
  const parameters = calls[0]?.['parameters_sent'];
  if (typeof parameters !== 'string' || model === null)
    throw new InputError("the answer's call is not in this run, so its parameters are not known");
  return {
    model: String(model['requested_model']),
    messages: messages as readonly ChatMessage[],
    parameters: JSON.parse(parameters) as ChatRequest['parameters'],
  };
}
