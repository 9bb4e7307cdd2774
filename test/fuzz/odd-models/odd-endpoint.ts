/** Models whose answers pass, fail, cannot be judged, are refused, cut, prose or empty, in any shares, behind HTTP. */
import { uniformOf } from '../../../domain/random.ts';
import { type ChatBody, chatBodySchema, tokensOf } from '../../../simulator/chat-body.ts';
import { chatCompletion } from '../../../simulator/http/chat-completion.ts';
import { type LocalServer, serveLocally } from '../../../simulator/local-server.ts';
import type { SimulatedChoice } from '../../../simulator/model.ts';
import { readQuestion } from '../../../simulator/question.ts';
import { badReplies, fenced, rightCode, type TinyTask, tinyTasks } from '../../support/tiny-tasks.ts';

export const behaviours = ['pass', 'fail', 'unjudged', 'refused', 'cut', 'prose', 'empty'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface OddModel {
  readonly id: string;
  /** Models with the same seed do well on the same fixed tasks; a mirrored one does where the others do badly. */
  readonly seed: number;
  readonly mirrored: boolean;
  /** Of its answers, in percent. */
  readonly shares: Readonly<Partial<Record<Behaviour, number>>>;
  /** Share of the tasks that always get the same behaviour. */
  readonly fixed: number;
  readonly logprobs: 'always' | 'never' | 'sometimes';
}

/** The tasks that these models know. */
export const oddTasks = tinyTasks(6, 'Odd');
/** For prompts that lost the function's name. */
const unknownTask: TinyTask = { id: 'Odd/0', entryPoint: 'add_0', addend: 0 };

/** Uniform numbers of one answer, by name. */
type Draw = (what: string) => number;

export async function serveOddModels(models: readonly OddModel[]): Promise<LocalServer> {
  const asked = new Map<string, number>();
  const answer = (body: ChatBody): object => {
    const model = models.find(({ id }) => id === body.model);
    if (model === undefined) throw new Error(`asked for an unknown model: ${body.model}`);
    const question = JSON.stringify([body.model, body.messages, body.seed, body.temperature]);
    const time = asked.get(question) ?? 0;
    asked.set(question, time + 1);
    const choices = Array.from({ length: body.n ?? 1 }, (_, index) =>
      choiceOf(model, body, (what) => uniformOf(model.seed, question, time, index, what)),
    );
    const outputTokens = choices.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
    const facts = { model: model.id, fingerprint: 'odd', inputTokens: 50, outputTokens, reasoningTokens: 0 };
    return chatCompletion({ ...facts, choices }, `odd-${asked.size}-${time}`, 1);
  };
  return serveLocally(async (request) => {
    const data = models.map(({ id }) => ({ id, object: 'model' }));
    if (request.method === 'GET') return Response.json({ object: 'list', data });
    return Response.json(answer(chatBodySchema.parse(await request.json())));
  }, 0);
}

function choiceOf(model: OddModel, body: ChatBody, draw: Draw): SimulatedChoice {
  const prompt = body.messages.map(({ content }) => content).join('\n');
  const task = oddTasks.find(({ entryPoint }) => prompt.includes(entryPoint)) ?? unknownTask;
  const behaviour = behaviourOf(model, task, draw);
  const whole = behaviour === 'refused' || behaviour === 'empty' ? '' : textOf(prompt, task, behaviour, draw);
  const text = behaviour === 'cut' ? whole.slice(0, 30) : whole;
  const has = model.logprobs === 'always' || (model.logprobs === 'sometimes' && draw('logprobs') < 0.6);
  return {
    text,
    finishReason: behaviour === 'cut' ? 'length' : 'stop',
    refusal: behaviour === 'refused' ? 'I cannot help with that.' : null,
    reasoning: null,
    logprobs: body.logprobs === true && has ? tokensOf(text).map((_, index) => -draw(`token ${index}`)) : null,
  };
}

function behaviourOf({ seed, mirrored, shares, fixed }: OddModel, { id }: TinyTask, draw: Draw): Behaviour {
  const place = uniformOf(seed, id, 'place');
  const isFixed = uniformOf(seed, id, 'is fixed') < fixed;
  let left = 100 * (isFixed ? (mirrored ? 1 - place : place) : draw('place'));
  for (const behaviour of behaviours) {
    left -= shares[behaviour] ?? 0;
    if (left < 0) return behaviour;
  }
  return 'fail';
}

function textOf(prompt: string, task: TinyTask, behaviour: Behaviour, draw: Draw): string {
  if (behaviour === 'prose') return badReplies.no_code();
  const { kind } = readQuestion(prompt);
  if (kind === 'judge') return draw('score').toFixed(2);
  if (kind === 'summarize')
    return `Write a python function ${task.entryPoint} to add to a number, version ${draw('version')}.`;
  if (behaviour === 'unjudged') return fenced(`${equalToAll}def ${task.entryPoint}(number):\n    return Odd()\n`);
  if (behaviour === 'fail') return badReplies.wrong_output(task);
  const lines = Array.from({ length: Math.floor(draw('lines') * 6) }, (_, index) => `    v${index} = ${index}\n`);
  const tried = draw('try') < 0.3 ? '    try:\n        number = number\n    except ValueError:\n        pass\n' : '';
  return fenced(rightCode(task).replace(':\n', `:\n${lines.join('')}${tried}`));
}

/** A verdict on its objects would be theirs. */
const equalToAll = 'class Odd:\n    def __eq__(self, other):\n        return True\n\n\n';
