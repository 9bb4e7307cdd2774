/** What a table and its columns are, and how a column is written down. */

export type ColumnType = 'string' | 'int' | 'float' | 'bool' | 'timestamp' | 'intList' | 'floatList';

export interface Column {
  readonly type: ColumnType;
  readonly meaning: string;
  readonly unit?: string;
  /** What null means; a column without it is never null. */
  readonly nullWhen?: string;
  /** Volatile columns (latency, times, attempts) may differ between two equal runs; a text says why, where the column does not. */
  readonly volatile?: true | string;
}

export interface Table {
  readonly name: string;
  readonly meaning: string;
  readonly schemaVersion: number;
  /** Columns whose values together are unique over all parts. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  /** Rows that may differ between two equal runs in all columns but the key. */
  readonly volatileRows?: { readonly where: string; readonly why: string };
}

/** A row as the study's pure code makes it: column name to value; timestamps are milliseconds since 1970 UTC. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly number[]>>;

export const text = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'string', meaning, ...more });
export const int = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'int', meaning, ...more });
export const float = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'float', meaning, ...more });
export const bool = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'bool', meaning, ...more });

export const estimate = (what: string) => ({
  [what]: float(`Point estimate of ${what}.`, { nullWhen: 'it is undefined; see reason' }),
});

/** An estimate and its interval, as three columns. */
export const interval = <Name extends string>(name: Name, meaning: string) =>
  ({
    [name]: float(`${meaning}.`, { nullWhen: 'it is undefined; see reason' }),
    [`${name}_lo`]: float('Lower end of its interval.', { nullWhen: `${name} is null` }),
    [`${name}_hi`]: float('Upper end of its interval.', { nullWhen: `${name} is null` }),
  }) as Record<Name | `${Name}_lo` | `${Name}_hi`, Column>;

/** A level's name with the ends of its interval, which are levels too. */
export const levelInterval = <Name extends string>(name: Name, meaning: string) =>
  ({
    [name]: text(`${meaning}.`, { nullWhen: 'it is undefined; see reason' }),
    [`${name}_lo`]: text('Lower end of its interval.', { nullWhen: `${name} is null` }),
    [`${name}_hi`]: text('Upper end of its interval.', { nullWhen: `${name} is null` }),
  }) as Record<Name | `${Name}_lo` | `${Name}_hi`, Column>;

/** Columns that may differ between two equal runs, for a reason that they have in common. */
export const volatile = <Columns extends Readonly<Record<string, Column>>>(columns: Columns, why: string) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, { ...column, volatile: why }])) as {
    readonly [Name in keyof Columns]: Column;
  };
