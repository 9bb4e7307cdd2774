/**
 * Runs one program after another, each in the interpreter's first state. Nothing here waits: no timer or callback of a
 * program ever fires.
 */
import type { ProgramEnd } from '../../schemas/program.ts';
import type { Deadline } from './deadline.ts';
import { ProgramEnded } from './ending.ts';
import { answerTags } from './harness.ts';
import type { Interpreter } from './interpreter.ts';
import type { EndReply, Reply, Request } from './protocol.ts';
import { isValue } from './value.ts';

const endOfTag: Readonly<Record<string, ProgramEnd>> = {
  [answerTags.exception]: 'completed',
  [answerTags.syntaxError]: 'syntax_error',
  [answerTags.earlyExit]: 'early_exit',
  [answerTags.memory]: 'memory',
  [answerTags.missingDependency]: 'missing_dependency',
  [answerTags.outputLimit]: 'output_limit',
};

type Ending = Pick<EndReply, 'end' | 'exception' | 'failedAtLoad' | 'detail' | 'lacks'>;

export function serveProgram(
  interpreter: Interpreter,
  deadline: Deadline,
  now: () => number,
  request: Request,
  send: (reply: Reply) => void,
): void {
  interpreter.allow(request.memoryBytes);
  const ending = runSteps(interpreter, deadline, now, request, send);
  deadline.stop();
  const memoryBytes = interpreter.addedBytes();
  const worn = interpreter.isWorn();
  if (!worn) interpreter.rollback();
  send({ type: 'end', nonce: request.nonce, ...ending, memoryBytes, worn });
}

function runSteps(
  interpreter: Interpreter,
  deadline: Deadline,
  now: () => number,
  request: Request,
  send: (reply: Reply) => void,
): Ending {
  const { nonce, inputs, limitsMs } = request;
  const loaded = step(
    'load',
    JSON.stringify([request.source, request.entryPoint, request.tests?.prelude ?? null, request.tests?.alias ?? null]),
    0,
  );
  if (loaded.ending !== null) return { ...loaded.ending, failedAtLoad: loaded.ending.exception !== null };
  send({ type: 'loaded', nonce });
  let budget = request.outputBytes;
  for (const [index, input] of inputs.entries()) {
    const begin = now();
    const { ending, value } = step('call', `${budget}\n${input}`, index + 1);
    if (ending !== null) return ending;
    budget -= value.length;
    send({ type: 'value', nonce, value, ms: now() - begin });
  }
  return { end: 'completed', exception: null, failedAtLoad: false, detail: null };

  function step(
    name: 'load' | 'call',
    payload: string,
    index: number,
  ): { readonly ending: Ending | null; readonly value: string } {
    try {
      deadline.start(limitsMs[index] ?? 0, request.wallFactor);
      return readAnswer(interpreter.invoke(name, payload), name);
    } catch (error) {
      return { ending: endingOf(error), value: '' };
    }
  }
}

function readAnswer(answer: string, name: 'load' | 'call'): { readonly ending: Ending | null; readonly value: string } {
  const lacks = answer.startsWith(answerTags.lacks);
  const tag = answer.charAt(lacks ? 1 : 0);
  const text = answer.slice(lacks ? 2 : 1);
  if (tag === answerTags.value && !lacks) {
    if (name === 'call' && !isValue(text))
      throw new ProgramEnded('killed', 'the program answered in place of the code that calls it');
    return { ending: null, value: text };
  }
  const end = endOfTag[tag];
  if (end === undefined) throw new ProgramEnded('killed', 'the program answered in place of the code that calls it');
  const exception = tag === answerTags.exception ? text : null;
  const ending = { end, exception, failedAtLoad: false, detail: text || null, ...(lacks && { lacks: true as const }) };
  return { ending, value: '' };
}

/** What was thrown through the interpreter: our own ending, a full JavaScript stack, or a WebAssembly trap. */
function endingOf(error: unknown): Ending {
  if (error instanceof ProgramEnded)
    return { end: error.end, exception: null, failedAtLoad: false, detail: error.message };
  if (error instanceof RangeError) {
    const text = 'RecursionError: the interpreter ran out of stack';
    return { end: 'completed', exception: text, failedAtLoad: false, detail: text };
  }
  return {
    end: 'killed',
    exception: null,
    failedAtLoad: false,
    detail: `the interpreter trapped: ${String(error).slice(0, 200)}`,
  };
}
