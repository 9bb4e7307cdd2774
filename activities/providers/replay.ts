/** Answers calls from a recorded file. Only the index is in memory; a reply is read when it is asked for. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';
import type { CallCoordinates, ChatReply, ChatRequest } from '../../schemas/chat.ts';
import { ProviderFault } from './provider.ts';
import type { Provider } from './provider.ts';
import { recordedLineAt, recordedLines } from './replay-file.ts';
import { createReplayConflicts } from './recordings/replay-conflicts.ts';
import { createPlainIndex, createReplayIndex } from './replay-index.ts';
import type { LinePlace, PlainIndex, ReplayIndex } from './replay-index.ts';
import { coordinatesText, replyOfLine, valuesOfCall, withSharedTokens } from './replay-line.ts';
import { requestsAsSent } from './requests-as-sent.ts';

export interface ReplayProviderOptions {
  readonly file: string;
  /** Required SHA-256 of the file, hex; null accepts any file. */
  readonly sha256: string | null;
  /** The user's name of the file, for messages: a run reads its own copy. */
  readonly name?: string;
  /**
   * SHA-256 of the file before replies were added to it. It remains the identity for call keys,
   * so that earlier answers stay valid.
   */
  readonly firstSha256?: string;
  /** Whether a call without a matching line is answered by `notAsked` instead of stopping the model. */
  readonly isWhole?: boolean;
}

/**
 * Reads and checks the whole file first. Throws `InputError` with file and line if a line is not a recorded reply or
 * two lines could answer the same call; throws if the file is not the one that the run was planned with.
 */
export async function createReplayProvider({
  file,
  sha256,
  name = file,
  firstSha256,
  isWhole = false,
}: ReplayProviderOptions): Promise<Provider> {
  const { index, plainIndex, conflicts, isByRequest, actualSha256, simulated } = await loadIndex(file, isWhole);
  if (sha256 !== null && sha256 !== actualSha256) {
    throw new Error(
      `${file} has SHA-256 ${actualSha256}, not ${sha256}: it changed since the run was planned; restore it or ` +
        'start a new run',
    );
  }
  const handle = await open(file, 'r');

  async function ask(request: ChatRequest, coordinates: CallCoordinates, signal: AbortSignal): Promise<ChatReply[]> {
    signal.throwIfAborted();
    const samples = Array.from({ length: request.n ?? 1 }, (_, place) => coordinates.sample + place);
    return withSharedTokens(await Promise.all(samples.map((sample) => recorded(request, { ...coordinates, sample }))));
  }

  function placesOf(request: ChatRequest, coordinates: CallCoordinates): readonly LinePlace[] {
    const places = placesIn(index, request, coordinates);
    return places.length === 0 && isWhole ? plainIndex.find(coordinates) : places;
  }

  async function recorded(request: ChatRequest, coordinates: CallCoordinates): Promise<ChatReply> {
    const [place, ...others] = placesOf(request, coordinates);
    if (place === undefined && isWhole) return notAsked;
    if (place === undefined)
      throw new ProviderFault('stop', `${name} has no line for ${shownCoordinates(coordinates)}; ${recordingRemedy}`);
    if (others.length > 0) {
      const numbers = [place, ...others].map(({ number }) => number).join(' and ');
      throw new ProviderFault(
        'stop',
        `${name}: lines ${numbers} are equally specific for ${shownCoordinates(coordinates)}; ` +
          'add one that is more specific',
      );
    }
    return replyOfLine(await recordedLineAt(handle, file, place));
  }

  const endpointIdentity = `replay:${firstSha256 ?? actualSha256}`;

  return {
    kind: 'replay',
    endpointIdentity,
    identityOf(request, coordinates) {
      if (isByRequest) return endpointIdentity;
      const [place] = placesOf(request, coordinates);
      const isOwn = place !== undefined && !isShared(place, conflicts);
      return isOwn ? `${endpointIdentity}:line ${place.number}` : endpointIdentity;
    },
    simulated,
    ask,
    close: () => handle.close(),
  };
}

/**
 * Whether one call may bring the line's reply for several places of a study. A line that names no request answers by
 * its place, whatever the request is, and so does one of several with different replies to a request.
 */
const isShared = ({ request }: LinePlace, conflicts: ReadonlySet<number>): boolean =>
  request !== null && !conflicts.has(request);

/** The lines of the request, else those of the same request in another form in which it may have been sent. */
function placesIn(index: ReplayIndex, request: ChatRequest, coordinates: CallCoordinates): readonly LinePlace[] {
  const places = index.find(valuesOfCall(coordinates));
  if (places.length > 0) return places;
  for (const requestSha256 of requestsAsSent(request)) {
    const found = index.find(valuesOfCall({ ...coordinates, requestSha256 }));
    if (found.length > 0) return found;
  }
  return [];
}

const notAsked: ChatReply = { ...replyOfLine({ reply: '', finish_reason: 'other' }), notAsked: true };

const shownCoordinates = (coordinates: CallCoordinates): string => coordinatesText(valuesOfCall(coordinates)[0] ?? {});

const recordingRemedy = 'add one with its "reply" (irrelevant fields may be left out) and run the same command again';

/** Reads and checks a whole recording, as `createReplayProvider` does. Throws `InputError`. */
export async function checkRecording(file: string): Promise<{ readonly sha256: string; readonly simulated: boolean }> {
  const { actualSha256, simulated } = await loadIndex(file);
  return { sha256: actualSha256, simulated };
}

interface Loaded {
  readonly index: ReplayIndex;
  readonly plainIndex: PlainIndex;
  readonly conflicts: ReadonlySet<number>;
  /** Whether a request alone says which reply a line has. */
  readonly isByRequest: boolean;
  readonly actualSha256: string;
  readonly simulated: boolean;
}

/** One simulated line makes the whole recording simulated. */
async function loadIndex(file: string, mayBeEmpty = false): Promise<Loaded> {
  let simulated = false;
  let count = 0;
  let unnamed = 0;
  const index = createReplayIndex();
  const plainIndex = createPlainIndex();
  const conflicts = createReplayConflicts();
  const hash = createHash('sha256');
  for await (const { line, place } of recordedLines(file, (chunk) => hash.update(chunk))) {
    inFile({ file, line: place.number }, () => index.add(line, place));
    plainIndex.add(line, place);
    conflicts.add(line, place.request);
    count += 1;
    if (place.request === null) unnamed += 1;
    simulated ||= line.simulated === true;
  }
  if (count === 0 && !mayBeEmpty)
    throw new InputError('expected at least one recorded reply, the file has none', { file });
  inFile({ file }, () => index.refuseOverlaps());
  const found = conflicts.found();
  const isByRequest = unnamed === 0 && found.size === 0;
  return { index, plainIndex, conflicts: found, isByRequest, actualSha256: hash.digest('hex'), simulated };
}

/** Runs `check` and adds the place to the message of its error. */
function inFile(at: { file: string; line?: number }, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error), at);
  }
}
