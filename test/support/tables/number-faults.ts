/** What no number of any table may be: NaN or infinite, or an estimate outside its interval. */
import type { RowDatabase } from '../../../analysis/database.ts';
import { type Table, tables } from '../../../schemas/tables.ts';

/** Of the last digits of an estimate and of an end that are computed in different ways. */
const tolerance = 1e-9;

/** SQL that is true for a value that breaks a rule. */
type Rule = (name: string, table: Table) => string | null;

const isNumber = (table: Table, name: string): boolean => ['int', 'float'].includes(table.columns[name]?.type ?? '');
const hasInterval = (table: Table, name: string): boolean =>
  [name, `${name}_lo`, `${name}_hi`].every((column) => isNumber(table, column));

const rules: Readonly<Record<string, Rule>> = {
  'is not a finite number': (name, { columns }) => {
    const { type } = columns[name] ?? {};
    if (type === 'floatList')
      return ['nan', 'inf', '-inf'].map((bad) => `list_contains("${name}", '${bad}')`).join(' or ');
    return type === 'float' ? `not isfinite("${name}")` : null;
  },
  'is outside its interval': (name, table) =>
    hasInterval(table, name)
      ? `"${name}" < "${name}_lo" - ${tolerance} or "${name}" > "${name}_hi" + ${tolerance}`
      : null,
  'has an interval that ends before it begins': (name, table) =>
    hasInterval(table, name) ? `"${name}_lo" > "${name}_hi"` : null,
};

/** One line for each column and rule that it breaks, with the first row that does. */
export async function numberFaults(
  database: Pick<RowDatabase, 'query'>,
  checked: readonly Table[] = Object.values<Table>(tables),
): Promise<string[]> {
  const faults = await Promise.all(checked.map((table) => faultsOf(database, table)));
  return faults.flat();
}

async function faultsOf(database: Pick<RowDatabase, 'query'>, table: Table): Promise<string[]> {
  const checks = Object.keys(table.columns).flatMap((name) =>
    Object.entries(rules).flatMap(([what, rule]) => {
      const where = rule(name, table);
      return where === null ? [] : [{ name, what, where }];
    }),
  );
  if (checks.length === 0) return [];
  const examples = checks.map(({ name, where }) => `any_value(${rowOf(table, name)}) filter (where ${where})`);
  const { rows } = await database.query(`select ${examples.join(', ')} from "${table.name}"`);
  return checks.flatMap(({ name, what }, place) => {
    const example = rows[0]?.[place] ?? null;
    return example === null ? [] : [`${table.name}.${name} ${what}: ${JSON.stringify(example)}`];
  });
}

/** What tells a row apart, and the values that are at fault. */
function rowOf(table: Table, name: string): string {
  const shown = [...table.key, name, ...(hasInterval(table, name) ? [`${name}_lo`, `${name}_hi`] : [])];
  return `struct_pack(${[...new Set(shown)].map((column) => `"${column}" := "${column}"`).join(', ')})`;
}
