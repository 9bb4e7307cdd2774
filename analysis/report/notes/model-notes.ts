/** What a reader must know of a model before trusting its rows: a mark of a few words, and a sentence. */
import { askedAlikeText } from '../../../domain/spec/equal-requests.ts';
import { counted } from '../../../domain/counted.ts';
import { cutAnswersText } from './cut-answers.ts';
import type { ExcludedVerdicts } from './excluded.ts';
import { mixedBackendsText } from './mixed-backends.ts';
import { countText } from '../format.ts';
import type { ModelCalls } from '../model-calls.ts';
import type { RunsReport } from '../report.ts';

export interface ModelNote {
  readonly run: string;
  readonly model: string;
  readonly mark: string;
  readonly text: string;
}

type Known = Omit<ModelNote, 'run' | 'model'>;

/** In the order of calls, for every model that is called; with the run where several have a model of this id. */
export function modelNotes({ calls, excluded }: Pick<RunsReport, 'calls' | 'excluded'>): ModelNote[] {
  const nameOf = ({ run, model }: Pick<ModelNote, 'run' | 'model'>): string =>
    [...calls, ...excluded].some((other) => other.model === model && other.run !== run) ? `${model} (${run})` : model;
  const called = calls.flatMap((one) =>
    notesOf({ ...one, model: nameOf(one) }).map(
      (known): ModelNote => ({ ...{ run: one.run, model: one.model }, ...known }),
    ),
  );
  const left = excluded.map(
    (one): ModelNote => ({
      ...{ run: one.run, model: one.model, mark: `${counted(one.count, 'verdict')} excluded` },
      text:
        `${countText(one.count)} of ${countText(one.of)} verdicts on ${nameOf(one)} are excluded, ${causesOf(one)}: ` +
        'they count neither as passed nor as failed.',
    }),
  );
  return [...called, ...left];
}

function causesOf({ count, byReference }: ExcludedVerdicts): string {
  const limit = 'because a limit of evenkeel kept the program from being judged';
  const reference = 'because the task’s own reference fails or is missing, so there is no output to compare with';
  if (byReference === 0) return limit;
  if (byReference === count) return reference;
  return `${countText(byReference)} ${reference}, and ${countText(count - byReference)} ${limit}`;
}

const notesOf = (one: ModelCalls): Known[] => [
  ...versionNotes(one),
  ...(one.backends.length > 1 ? [{ mark: 'mixed backends', text: mixedBackendsText(one) }] : []),
  ...doubts(one),
  ...refusals(one),
  ...sharedAnswers(one),
];

function versionNotes({ model, returnedModels: names, fingerprints }: ModelCalls): Known[] {
  const mark = 'mixed versions';
  if (names.length > 1) return [{ mark, text: `${model} answered under several names: ${names.join(', ')}.` }];
  if (fingerprints.length <= 1) return [];
  return [{ mark, text: `${model} answered with ${fingerprints.length} fingerprints: ${fingerprints.join(', ')}.` }];
}

/** Replies from another model, impossible counts and log-probabilities, and cut answers. */
function doubts({ model, otherModels, disbelieved, logprobFaults, answers, cut }: ModelCalls): Known[] {
  const all: (Known & { readonly holds: boolean })[] = [
    {
      holds: otherModels.length > 0,
      mark: 'another model',
      text: `${model} was requested, but ${otherModels.join(', ')} answered.`,
    },
    {
      holds: disbelieved > 0,
      mark: 'impossible usage',
      text:
        `${countText(disbelieved)} calls of ${model} reported impossible token counts: totals are charged at the ` +
        'most that is possible, parts of them left out.',
    },
    {
      holds: logprobFaults > 0,
      mark: 'log-probabilities',
      text: `${countText(logprobFaults)} answers of ${model} have impossible log-probabilities, which are not used.`,
    },
    { holds: cut > 0, mark: 'cut answers', text: cutAnswersText(model, answers, cut) },
  ];
  return all.flatMap(({ holds, mark, text }) => (holds ? [{ mark, text }] : []));
}

const sharedAnswers = ({ model, askedAlike = [] }: ModelCalls): Known[] =>
  askedAlike.length === 0 ? [] : [{ mark: 'shared answers', text: askedAlikeText([model, ...askedAlike]) }];

const refusals = ({ model, nRefused }: ModelCalls): Known[] =>
  nRefused === 0
    ? []
    : [
        {
          mark: 'one answer at a time',
          text: `The endpoint of ${model} refused requests for several answers, so each was requested separately.`,
        },
      ];
