/**
 * Every table of a run: its columns with type, unit, meaning, null rule and stability. The Parquet writer, the DuckDB
 * views, `query` without SQL and docs/tables.md all come from here. Columns are only ever added; a changed meaning
 * needs a new schema version.
 */

import { cardTables } from './tables/cards.ts';
import { chainTables } from './tables/chain.ts';
import { costTables } from './tables/costs.ts';
import type { Table } from './tables/column.ts';
import { evaloopTables } from './tables/evaloop.ts';
import { parallelTables } from './tables/parallel.ts';
import { loopRankTables } from './tables/loop-ranks.ts';
import { loopSurvivalTables } from './tables/loop-survival.ts';
import { passTables } from './tables/pass.ts';
import { promptseTables } from './tables/promptse.ts';
import { recordedTables } from './tables/recorded.ts';
import { rescoredTables } from './tables/rescored.ts';
import { robunfrTables } from './tables/robunfr.ts';
import { runTables } from './tables/run.ts';
import { specificityTables } from './tables/specificity.ts';
import { variancePartTables } from './tables/variance-parts.ts';
import { variantTables } from './tables/variants.ts';

export type { Column, ColumnType, Row, Table } from './tables/column.ts';

export const tables = {
  ...runTables,
  ...costTables,
  ...variancePartTables,
  ...cardTables,
  ...parallelTables,
  ...variantTables,
  ...evaloopTables,
  ...loopRankTables,
  ...loopSurvivalTables,
  ...chainTables,
  ...promptseTables,
  ...specificityTables,
  ...robunfrTables,
  ...passTables,
  ...rescoredTables,
  ...recordedTables,
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;
