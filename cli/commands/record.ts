/** `record`: a proxy before an endpoint that writes its replies to a replay file. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../domain/counted.ts';
import { InputError } from '../../domain/errors.ts';
import { accountProviders } from '../../activities/providers/index.ts';
import { probeEndpoint } from '../../activities/providers/probe.ts';
import { type Recorder, startRecorder } from '../../activities/recording/recorder.ts';
import { openRecordingFile, type RecordingFile } from '../../activities/recording/recording-file.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { checkedPort } from '../port.ts';
import { stopSignal } from '../stop-signal.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export interface RecordOptions {
  readonly listen: string;
  readonly to: string;
  readonly out: string;
}

const tickMs = 500;
const probeLimitMs = 5_000;

export async function record(options: RecordOptions, terminal: Terminal): Promise<ExitStatus> {
  const [to, port, out] = [checkedUrl(options.to), checkedPort(options.listen, '--listen'), resolve(options.out)];
  refuseItself(to, port);
  const stopped = stopSignal();
  const file = await openRecordingFile(out);
  const passed = new Map<string, number>();
  const onPassed = (reason: string): void => {
    const times = (passed.get(reason) ?? 0) + 1;
    passed.set(reason, times);
    if (times === 1) terminal.note(`not recorded: ${plain(reason)}`);
  };
  try {
    const recorder = await startRecorder({ to, port, file, onPassed });
    terminal.out(`recording ${to} at ${recorder.url} (use it as baseUrl); replies go to ${out}`);
    terminal.document({ url: recorder.url, port: recorder.port, to, file: out, replies: file.counts.replies });
    for (const line of foundText(file)) terminal.note(line);
    void noteUnreachable(to, terminal);
    const ticking = setInterval(() => terminal.progress(progressText(file, recorder, passed)), tickMs);
    try {
      await Promise.race([stopped, file.broken]);
      await awaitReplies(recorder, terminal);
    } finally {
      clearInterval(ticking);
      await recorder.close();
    }
  } finally {
    await file.close();
  }
  for (const line of endText(file, out, passed)) terminal.note(line);
  return exitStatus.done;
}

/** White space is refused: `URL.parse` removes it, and the text is shown as it is given. */
function checkedUrl(text: string): string {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.username === '')
    return text.replace(/\/+$/, '');
  throw new InputError(
    `must be an endpoint's base URL, such as https://api.openai.com/v1; got ${JSON.stringify(text)}`,
    {
      field: '--to',
    },
  );
}

/** A recorder before itself would pass each request on without end. */
function refuseItself(to: string, port: number): void {
  const { protocol, hostname, port: named } = new URL(to);
  const toPort = Number(named || (protocol === 'https:' ? 443 : 80));
  if (toPort === port && /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname))
    throw new InputError('is the port that --listen names, so the recorder would ask itself: give each its own', {
      field: '--to',
    });
}

/** Without a key only a wrong address can be told: a 401 means that the endpoint is there. */
async function noteUnreachable(to: string, terminal: Terminal): Promise<void> {
  const { fault } = await probeEndpoint({ baseUrl: to, headers: {} }, accountProviders.openai.probed, probeLimitMs);
  if (fault?.key === 'baseUrl') terminal.note(`${plain(fault.rule)}; until then requests are answered with 502`);
}

function foundText({ counts }: RecordingFile): string[] {
  return [
    ...(counts.replies > 0 ? [`the file has ${counted(counts.replies, 'reply', 'replies')}; new ones are added`] : []),
    ...(counts.removedBytes > 0 ? [`removed ${counted(counts.removedBytes, 'byte')} of a reply that was cut off`] : []),
  ];
}

const progressText = ({ counts }: RecordingFile, { inFlight }: Recorder, passed: ReadonlyMap<string, number>): string =>
  [
    `${counted(counts.replies, 'reply', 'replies')} recorded`,
    `${counted(inFlight(), 'request')} in flight`,
    ...(passed.size === 0 ? [] : [`${sum(passed)} not recorded`]),
  ].join(' · ');

/** Replies in flight are paid for: they are waited for until the second Ctrl-C. */
async function awaitReplies({ inFlight }: Recorder, terminal: Terminal): Promise<void> {
  if (inFlight() === 0) return;
  terminal.note(`waiting for ${counted(inFlight(), 'request')} in flight; Ctrl-C again stops waiting`);
  const left = stopSignal().then(() => 'left' as const);
  while (inFlight() > 0) if ((await Promise.race([left, sleep(tickMs / 10)])) === 'left') return;
}

function endText({ counts }: RecordingFile, out: string, passed: ReadonlyMap<string, number>): string[] {
  return [
    `${counted(counts.replies, 'reply', 'replies')} in ${out}; a model with provider: replay and this file gives ` +
      'them again, if it has the same model and parameters',
    ...[...passed].map(([reason, times]) => `not recorded: ${times} × ${plain(reason)}`),
    ...(counts.changed === 0
      ? []
      : [
          `${counted(counts.changed, 'request')} got another reply when asked again: as sample n, a study gets the ` +
            'n-th of them; at other places the first',
        ]),
  ];
}

const sum = (passed: ReadonlyMap<string, number>): number => [...passed.values()].reduce((a, b) => a + b, 0);
