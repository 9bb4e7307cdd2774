/** Rows of tables `quality`, `quality_messages` and `timings`: measurements of a page's programs. */
import { densityPer10Lines } from '../../domain/metrics/density.ts';
import { qualityCounts } from '../../domain/metrics/quality-counts.ts';
import type { Measures } from '../../schemas/measures.ts';
import { mean } from '../../domain/statistics/spread.ts';
import type { ProgramTiming, TimedRepeat } from '../../schemas/program.ts';
import type { Row } from '../../schemas/tables.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { type PageProgram, pagePrograms, qualityFact, timedSuite, timingFact } from '../judging/page-programs.ts';
import type { RunPage } from '../runs/opened/run.ts';

export interface MeasureRows {
  readonly quality: readonly Row[];
  readonly quality_messages: readonly Row[];
  readonly timings: readonly Row[];
}

export async function measureRows(page: RunPage, cells: readonly PageCell[]): Promise<MeasureRows> {
  const programs = pagePrograms(page, cells);
  const distinct = [...new Map(programs.map((program) => [program.sha256, program])).values()];
  const facts = await page.run.ledger.factsNamed([
    ...distinct.map(qualityFact),
    ...programs.flatMap((program) => timingNames(page, program)),
  ]);
  const measured = distinct.flatMap((program) => {
    const fact = facts.get(qualityFact(program));
    return fact === undefined ? [] : [{ program, measures: JSON.parse(fact) as Measures }];
  });
  return {
    quality: measured.map(({ program, measures }) => qualityRow(page, program, measures)),
    quality_messages: measured.flatMap(({ program, measures }) => messageRows(page, program, measures)),
    timings: [
      ...new Map(
        programs
          .flatMap((program) => timingRows(page, program, facts))
          .map((row) => [`${row['execution_id']}/${row['repeat']}`, row]),
      ).values(),
    ],
  };
}

function qualityRow({ page }: RunPage, { sha256 }: PageProgram, measures: Measures): Row {
  const counts = qualityCounts(measures);
  const density = (count: number): number | null => densityPer10Lines({ count, loc: measures.loc });
  return {
    program_sha256: sha256,
    page,
    loc: measures.loc,
    code_smells: counts?.codeSmells ?? null,
    unreadability: counts?.unreadability ?? null,
    handlers: measures.handlers,
    raises: measures.raises,
    code_smell_density: counts && density(counts.codeSmells),
    unreadability_density: counts && density(counts.unreadability),
    exception_density: counts && density(counts.exceptionStatements),
    reason: measures.reason,
    pylint: measures.service.pylint,
    python: measures.service.python,
  };
}

const messageRows = ({ page }: RunPage, { sha256 }: PageProgram, { messages }: Measures): Row[] =>
  (messages ?? []).map((message, place) => ({
    program_sha256: sha256,
    page,
    place,
    message_id: message.id,
    symbol: message.symbol,
    category: message.category,
    line: message.line,
    column: message.column,
    object: message.object,
    text: message.text,
  }));

function timingNames(page: RunPage, program: PageProgram): string[] {
  const suite = timedSuite(page, program);
  return suite === undefined ? [] : [timingFact(page, program, suite)];
}

function timingRows(page: RunPage, program: PageProgram, facts: ReadonlyMap<string, string>): Row[] {
  const [name] = timingNames(page, program);
  const fact = name === undefined ? undefined : facts.get(name);
  if (name === undefined || fact === undefined) return [];
  const { end, detail, repeats, redone, core, yardstick = [] } = JSON.parse(fact) as ProgramTiming;
  const own = {
    execution_id: name.slice('timing/'.length),
    page: page.page,
    end,
    detail,
    redone,
    core,
    yardstick_cpu_ns: mean(yardstick.map(({ cpuNs }) => cpuNs)),
    yardstick_wall_ns: mean(yardstick.map(runningNs)),
  };
  const none = { repeat: 0, cpu_ns: null, wall_ns: null, switches: null, waited_ns: null, noisy: null };
  if (repeats.length === 0) return [{ ...own, ...none }];
  return repeats.map(({ cpuNs, wallNs, switches, waitedNs, isNoisy }, index) => ({
    ...own,
    repeat: index + 1,
    cpu_ns: cpuNs,
    wall_ns: wallNs,
    switches,
    waited_ns: waitedNs,
    noisy: isNoisy,
  }));
}

/** Wall time without the wait for its core. That is read around the clocks; no time is shorter than its CPU time. */
const runningNs = ({ cpuNs, wallNs, waitedNs }: TimedRepeat): number =>
  Math.max(wallNs - waitedNs, Math.min(cpuNs, wallNs));
