/**
 * Compares a recording with a run's copy of it: added replies are allowed, any other change makes it another recording.
 */
import { sha256 } from '../../domain/ids.ts';
import { recordedLines } from '../providers/replay-file.ts';
import { coordinatesText, type ReplayLine, selectors } from '../providers/replay-line.ts';

export interface RecordingComparison {
  /** Number of lines that the copy lacks. */
  readonly added: number;
  /**
   * Changes other than added lines, one text each: first by lines of the file, then by lines of the copy; empty if the
   * file only adds lines.
   */
  readonly differences: readonly string[];
}

/** A line of the copy, with hashes instead of its texts, which may be gigabytes. */
interface CopiedLine {
  readonly number: number;
  readonly replySha256: string;
  readonly factsSha256: string;
}

/** @throws InputError if a line of either file is not a recorded reply */
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
    lines.set(coordinatesText(line), {
      number: place.number,
      replySha256: sha256(line.reply),
      factsSha256: factsSha256(line),
    });
    simulated ||= line.simulated === true;
  }
  return { lines, simulated };
}

/** Hash of all fields except the reply and the selectors; null and false count as absent. */
function factsSha256(line: ReplayLine): string {
  const fields = Object.entries(line).filter(
    ([name, value]) => name !== 'reply' && !isSelector(name) && value !== null && value !== false,
  );
  return sha256(JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}

const isSelector = (name: string): boolean => (selectors as readonly string[]).includes(name);

function changeOf({ number, replySha256, factsSha256: facts }: CopiedLine, line: ReplayLine): string | null {
  if (replySha256 !== sha256(line.reply)) return `has another reply than line ${number} of the run's copy`;
  return facts === factsSha256(line)
    ? null
    : `differs from line ${number} of the run's copy in a field other than the reply`;
}

/** A new simulated line would mark the run's answers of a real model as simulated. */
const simulatedNow = (line: ReplayLine, simulated: boolean): string | null =>
  line.simulated === true && !simulated ? "is marked simulated, but no line of the run's copy is" : null;

const gone = ([coordinates, { number }]: readonly [string, CopiedLine]): string =>
  `line ${number} of the run's copy, ${coordinates}: is no longer in the file`;
