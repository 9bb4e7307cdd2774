/** Rules about benchmarks: what a file can be used for. */
import type { Spec } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';

export const benchmarkFaults = (spec: Spec): Fault[] =>
  Object.entries(spec.benchmarks).flatMap(([name, benchmark]) => fileFaults(name, benchmark));

function fileFaults(name: string, { format, driver, suites = [], tasks }: Spec['benchmarks'][string]): Fault[] {
  const names = suites.map((suite) => (typeof suite === 'string' ? suite : suite.name));
  const twice = names.flatMap((suite, index) => (names.indexOf(suite) < index ? [index] : []));
  const faults: Fault[] = twice.map((index) => ({
    path: ['benchmarks', name, 'suites', index],
    rule: `duplicate suite "${names[index]}"; suites must be unique`,
  }));
  const ids = tasks?.ids ?? [];
  for (const [index, id] of ids.entries())
    if (ids.indexOf(id) < index)
      faults.push({
        path: ['benchmarks', name, 'tasks', 'ids', index],
        rule: `duplicate task "${id}"; list each task once`,
      });
  if (tasks?.limit !== undefined && tasks.sample !== undefined)
    faults.push({
      path: ['benchmarks', name, 'tasks', 'sample'],
      rule: 'means the same as limit; give only one of the two',
    });
  const testsOnly =
    'mbpp-et holds tests only; use mbpp-sanitized, with suites: [base, { name: et, format: mbpp-et, path: ... }]';
  if (driver !== undefined && format !== 'pareval')
    return [
      {
        path: ['benchmarks', name, 'driver'],
        rule: `works only with format pareval, whose tests are drivers; got format ${format}`,
      },
      ...faults,
    ];
  return format === 'mbpp-et' ? [{ path: ['benchmarks', name, 'format'], rule: testsOnly }, ...faults] : faults;
}
