/** Replies of a simulated model: code, a summary, a score, or a question back. */
import { signatureName } from '../domain/extraction/cpp-text.ts';
import { languages } from '../domain/languages/index.ts';
import type { ProgramLanguage } from '../schemas/program.ts';
import { uniformOf } from '../domain/random.ts';
import { shuffled } from './shuffled.ts';
import { describedWords, detailChance, withoutFence } from './detail.ts';
import { docstringOf, withDocstring } from './documented-program.ts';
import type { DocumentedProgram } from './documented-program.ts';
import type { Draws } from './draws.ts';
import type { SimulatedProfile } from './profile.ts';
import type { KnownTask, Recognition, TaskIndex } from './task-index.ts';
import { contentWordsOf, jaccard, retell, wordsOf } from './words.ts';

export interface Reply {
  readonly text: string;
  /** How sure the model is, 0 to 1; determines the log-probabilities. */
  readonly confidence: number;
}

/**
 * Code for a prompt. It is right with probability competence x clarity, where clarity = 1 - (1 - recall)^2: a few lost
 * words hardly matter, many do, and without a description nothing is solved.
 */
export function codeReply(profile: SimulatedProfile, index: TaskIndex, prompt: string, draws: Draws): Reply {
  // Described words can only be counted if it is certain which function is meant.
  const signed =
    profile.detailNeed === undefined && signatureName(withoutFence(prompt)) === null
      ? null
      : index.recognizeSignature(prompt);
  const recognition = signed ?? index.recognizePrompt(prompt);
  if (recognition === null) return { text: draws.sample() < 0.5 ? askBack : guess, confidence: 0.2 };
  const detailed =
    profile.detailNeed === undefined
      ? null
      : detailChance(profile, describedWords(prompt, recognition.known.task.entryPoint));
  if (detailed === null && recognition.recall === 0 && draws.sample() < 0.5) return { text: askBack, confidence: 0.2 };
  const chance = detailed ?? profile.competence * (1 - (1 - recognition.recall) ** 2);
  const right = luck(profile, recognition.known, draws) < chance;
  const program = right ? recognition.known.reference : wrongProgram(recognition.known, draws);
  return {
    text: presented(explained(program, recognition), draws, languages[languageOf(recognition.known)].fence),
    confidence: right ? chance : chance * (1 - profile.doubt),
  };
}

const languageOf = ({ task }: KnownTask): ProgramLanguage => task.language ?? 'python';

/** The program with the understood description as its docstring, if the language has docstrings. */
const explained = (program: DocumentedProgram, recognition: Recognition): string =>
  languageOf(recognition.known) === 'python'
    ? withDocstring(program, understanding(recognition))
    : `${program.before}${program.after}`;

/**
 * The task's function in another language. Each language has its own difficulty, so translations fail independently.
 */
export function translationReply(
  profile: SimulatedProfile,
  index: TaskIndex,
  question: string,
  to: ProgramLanguage,
  draws: Draws,
): Reply {
  const known = index.recognizeTranslation(question, to);
  if (known === null) return { text: askBack, confidence: 0.2 };
  const right = luck(profile, known, draws, to) < profile.competence;
  const { before, after } = right ? known.reference : wrongProgram(known, draws);
  const { competence, doubt } = profile;
  return {
    text: presented(`${before}${after}`, draws, languages[to].fence),
    confidence: right ? competence : competence * (1 - doubt),
  };
}

/**
 * The answer is right if this number is below the probability of a solution: the task's difficulty, unless a random
 * number per wording or per sample replaces it.
 */
function luck(profile: SimulatedProfile, { task }: KnownTask, draws: Draws, ...apart: string[]): number {
  const byWording =
    draws.prompt() < profile.sensitivity
      ? draws.prompt()
      : uniformOf('difficulty', profile.seed, task.taskId, ...apart);
  return draws.sample() < draws.randomness ? draws.sample() : byWording;
}

function wrongProgram({ wrong, task }: KnownTask, draws: Draws): DocumentedProgram {
  const stub = { before: '', after: `\ndef ${task.entryPoint}(*args):\n    raise NotImplementedError\n` };
  return wrong[Math.floor(draws.sample() * wrong.length)] ?? stub;
}

/** What the prompt says of the task, in the model's words. */
const understanding = ({ known, words }: Recognition): string =>
  asSentence(retell(known.description, (word, written) => (words.has(word) ? written : null)));

const asSentence = (phrase: string): string => `${phrase.replaceAll(/['"\\]/g, '').replace(/[.,]+$/, '') || 'Helper'}.`;

const presentations: readonly ((code: string, fence: string) => string)[] = [
  (code, fence) => `\`\`\`${fence}\n${code}\n\`\`\``,
  (code, fence) => `\`\`\`${fence}\n${code}\n\`\`\``,
  (code) => `\`\`\`\n${code}\n\`\`\``,
  (code, fence) =>
    `Here is the function:\n\n\`\`\`${fence}\n${code}\n\`\`\`\n\nIt handles the example given in the task.`,
  (code) => code,
];

const presented = (program: string, draws: Draws, fence = 'python'): string =>
  (presentations[Math.floor(draws.sample() * presentations.length)] ?? String)(program.trim(), fence);

const askBack = 'Could you tell me which function you would like me to write, and what it should do?';
const guess = '```python\ndef solution(*args):\n    result = list(args)\n    return result\n```';

/**
 * A summary of code: what its docstring says of the task, or the whole description for code without a docstring, minus
 * a share `driftPerLoop` of the description's content words. Half of these become vague instead of being dropped.
 */
export function summaryReply(profile: SimulatedProfile, index: TaskIndex, code: string, draws: Draws): Reply {
  const known = index.recognizeCode(code);
  if (known === null) return vagueSummary;
  const docstring = docstringOf(code, known.task.entryPoint);
  return described(profile, known, docstring === null ? known.description.content : wordsOf(docstring), draws);
}

const vagueSummary: Reply = {
  text: 'Write a python function to process the given values and give back the result.',
  confidence: 0.3,
};

/** What is understood of a task's description, minus what drifts away. */
function described(profile: SimulatedProfile, known: KnownTask, understood: ReadonlySet<string>, draws: Draws): Reply {
  const words = [...known.description.content].filter((word) => understood.has(word));
  const lossCount = Math.floor(profile.driftPerLoop * known.description.content.size + draws.sample());
  const lost = new Map(
    shuffled(words, draws.sample)
      .slice(0, lossCount)
      .map((word) => [word, draws.sample() < 0.5 ? 'something' : null]),
  );
  const phrase = retell(known.description, (word, written) =>
    lost.has(word) ? (lost.get(word) ?? null) : understood.has(word) ? written : null,
  );
  return { text: `Write a python function to ${asSentence(withoutOpening(phrase))}`, confidence: 0.9 };
}

/** Pseudocode with everything that the prompt says of the task. */
export function pseudocodeReply(index: TaskIndex, prompt: string, draws: Draws): Reply {
  const recognition = index.recognizePrompt(prompt);
  if (recognition === null) return { text: askBack, confidence: 0.2 };
  const { entryPoint } = recognition.known.task;
  const steps = `FUNCTION ${entryPoint}(...)\n1. ${understanding(recognition)}\n2. Give that back.`;
  return { text: draws.sample() < 0.5 ? steps : `\`\`\`\n${steps}\n\`\`\``, confidence: 0.9 };
}

/** A summary of pseudocode: what it says of the function that it names, with the same loss as other summaries. */
export function unravelReply(profile: SimulatedProfile, index: TaskIndex, pseudocode: string, draws: Draws): Reply {
  const recognition = index.recognizePrompt(pseudocode);
  return recognition === null ? vagueSummary : described(profile, recognition.known, recognition.words, draws);
}

const withoutOpening = (phrase: string): string =>
  phrase.replace(/^write a (?:python )?function (?:to |that |which )?/i, '');

/** A similarity score for two prompts: their share of common content words, plus the judge's noise. */
export function judgeReply(profile: SimulatedProfile, first: string, second: string, draws: Draws): Reply {
  if (draws.sample() < profile.judge.unparseable) return { text: 'The two prompts are rather alike.', confidence: 0.3 };
  const noise = (2 * draws.sample() - 1) * profile.judge.noise;
  const score = Math.min(1, Math.max(0, jaccard(contentWordsOf(first), contentWordsOf(second)) + noise)).toFixed(2);
  return { text: draws.sample() < 0.8 ? score : `Score: ${score}`, confidence: 0.9 };
}
