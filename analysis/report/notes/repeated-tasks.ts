/** What a reader must know of studies whose tasks repeat another one's prompt: one sentence for each benchmark. */
import { repeatedTasksText } from '../../../domain/benchmarks/repeated-tasks.ts';
import { wordList } from '../../../domain/card/sentence.ts';
import type { StudyRepeats } from '../../card/repeated-prompts.ts';

export const studyRepeatsNotes = (repeated: readonly StudyRepeats[]): string[] =>
  [...Map.groupBy(repeated, ({ benchmark }) => benchmark).values()].map((own) => {
    const [first] = own as [StudyRepeats, ...StudyRepeats[]];
    const studies = own.map(({ study }) => study);
    return `${studies.length === 1 ? 'Study' : 'Studies'} ${wordList(studies)}: ${repeatedTasksText(first)}.`;
  });
