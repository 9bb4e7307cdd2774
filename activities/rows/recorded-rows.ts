/** Rows of `recorded_verdicts`: what other tools found about imported answers. */
import type { RecordedVerdict } from '../../schemas/chat.ts';
import type { Row } from '../../schemas/tables.ts';

/** @param key the answer's place: cell key, loop, step, sample */
export const recordedRows = (key: Row, recorded: readonly RecordedVerdict[], simulated: boolean): Row[] =>
  recorded.map(({ by, suite, passed }) => ({ ...key, suite, recorded_by: by, passed, simulated }));
