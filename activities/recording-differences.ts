/** What separates a recording from a run's copy of it: further replies are an addition, anything else makes it another recording. */
import { sha256 } from '../domain/ids.ts';
import { recordedLines } from './providers/replay-file.ts';
import { coordinatesText, type ReplayLine, selectors } from './providers/replay-line.ts';

export interface RecordingComparison {
  /** Lines that the copy has not. */
  readonly added: number;
  /** What is no addition, one line each, by the lines of the file and then of the copy; empty when the file only adds. */
  readonly differences: readonly string[];
}

/** What a line of the copy says, without its texts, of which there may be gigabytes. */
interface CopiedLine {
  readonly number: number;
  readonly replySha256: string;
  readonly factsSha256: string;
}

/** @throws InputError where a line of either file is no recorded reply */
export async function compareRecordings(copy: string, file: string): Promise<RecordingComparison> {
  const { lines: left, simulated } = await copiedLines(copy);
  const differences: string[] = [];
  let added = 0;
  for await (const { line, place } of recordedLines(file)) {
    const coordinates = coordinatesText(line);
    const copied = left.get(coordinates);
    left.delete(coordinates);
    if (copied === undefined) added += 1;
    const difference = copied === undefined ? simulatedNow(line, simulated) : changeOf(copied, line);
    if (difference !== null) differences.push(`line ${place.number}, ${coordinates}: ${difference}`);
  }
  return { added, differences: [...differences, ...[...left].map(gone)] };
}

async function copiedLines(copy: string): Promise<{ lines: Map<string, CopiedLine>; simulated: boolean }> {
  const lines = new Map<string, CopiedLine>();
  let simulated = false;
  for await (const { line, place } of recordedLines(copy)) {
    lines.set(coordinatesText(line), { number: place.number, replySha256: sha256(line.reply), factsSha256: factsSha256(line) });
    simulated ||= line.simulated === true;
  }
  return { lines, simulated };
}

/** All but the reply and what selects it; null says as much as nothing. */
function factsSha256(line: ReplayLine): string {
  const fields = Object.entries(line).filter(([name, value]) => name !== 'reply' && !isSelector(name) && value !== null && value !== false);
  return sha256(JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}

const isSelector = (name: string): boolean => (selectors as readonly string[]).includes(name);

function changeOf({ number, replySha256, factsSha256: facts }: CopiedLine, line: ReplayLine): string | null {
  if (replySha256 !== sha256(line.reply)) return `has another reply than line ${number} of the run's copy`;
  return facts === factsSha256(line) ? null : `says something else beside its reply than line ${number} of the run's copy`;
}

/** A run that has answers of a real model would call them simulated from here on. */
const simulatedNow = (line: ReplayLine, simulated: boolean): string | null =>
  line.simulated === true && !simulated ? "is of a simulated model, and no line of the run's copy is" : null;

const gone = ([coordinates, { number }]: readonly [string, CopiedLine]): string =>
  `line ${number} of the run's copy, ${coordinates}: is no longer in the file`;
