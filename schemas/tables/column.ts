/** Types of tables and columns, and short forms to declare columns. */

import type { ArchivePart } from '../archive.ts';

export type ColumnType = 'string' | 'int' | 'float' | 'bool' | 'timestamp' | 'intList' | 'floatList';

export interface Column {
  readonly type: ColumnType;
  readonly meaning: string;
  readonly unit?: string;
  /** What null means; a column without it is never null. */
  readonly nullWhen?: string;
  /** A volatile column (latency, times, attempts) may differ between two equal runs; a text says why if not obvious. */
  readonly volatile?: true | string;
  /** Texts that an archive without any of these parts leaves out. */
  readonly holds?: readonly ArchivePart[];
}

export interface Table {
  readonly name: string;
  readonly meaning: string;
  readonly schemaVersion: number;
  /** Columns whose values together identify a row of the table. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  /** Rows that may differ between two equal runs in all columns but the key. */
  readonly volatileRows?: { readonly where: string; readonly why: string };
}

/** A row as a study's pure code makes it: values by column name; timestamps are milliseconds since 1970 UTC. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly number[]>>;

export const text = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'string', meaning, ...more });
export const int = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'int', meaning, ...more });
export const float = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'float', meaning, ...more });
export const bool = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'bool', meaning, ...more });

export const estimate = (what: string) => ({
  [what]: float(`Point estimate of ${what}.`, { nullWhen: 'undefined; see reason' }),
});

/** What null means in the columns of an estimate and its interval, where it is not what `interval` says. */
interface NullRules {
  readonly value?: string;
  readonly ends?: string;
  /** Of the upper end, if it is not that of both. */
  readonly upper?: string;
}

/** An estimate and its interval, as three columns. */
export const interval = <Name extends string>(
  name: Name,
  meaning: string,
  { value = 'undefined; see reason', ends = `${name} is null`, upper = ends }: NullRules = {},
) =>
  ({
    [name]: float(`${meaning}.`, { nullWhen: value }),
    [`${name}_lo`]: float('Lower end of its interval.', { nullWhen: ends }),
    [`${name}_hi`]: float('Upper end of its interval.', { nullWhen: upper }),
  }) as Record<Name | `${Name}_lo` | `${Name}_hi`, Column>;

/** The name of a level of detail, and its interval, whose ends are names of levels too. */
export const levelInterval = <Name extends string>(
  name: Name,
  meaning: string,
  { value = 'undefined; see reason' }: Pick<NullRules, 'value'> = {},
) =>
  ({
    [name]: text(`${meaning}.`, { nullWhen: value }),
    [`${name}_lo`]: text('Lower end of its interval.', { nullWhen: `${name} is null` }),
    [`${name}_hi`]: text('Upper end of its interval.', { nullWhen: `${name} is null` }),
  }) as Record<Name | `${Name}_lo` | `${Name}_hi`, Column>;

/** Marks columns that may differ between two equal runs, all for the same reason. */
export const volatile = <Columns extends Readonly<Record<string, Column>>>(columns: Columns, why: string) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, { ...column, volatile: why }])) as {
    readonly [Name in keyof Columns]: Column;
  };
