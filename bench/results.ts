/**
 * Reads bench/results/: one file of measurements per generated page, and the machines they were made on. Tables in
 * pages written by hand are in its folder tables/: see measured/tables.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const text = z.string().min(1);

const measurement = z.strictObject({
  /** Null if the day was not recorded. */
  date: z.iso.date().nullable(),
  /** A key of machines.json. */
  machine: text,
  /** Null if not recorded. */
  commit: text.nullable(),
  value: text,
  note: text.optional(),
});

const row = z.strictObject({
  id: text,
  what: text,
  /** The target. */
  wanted: text,
  command: text,
  /** What limits the figure. */
  limit: text,
  /** Oldest first; the last one is current. */
  measurements: z.array(measurement).min(1),
  /** What was tried and observed; not shown on the page. */
  notes: z.array(text),
});

const topic = z.strictObject({
  page: text,
  title: text,
  intro: z.array(text),
  rows: z.array(row).min(1),
  sections: z.array(z.strictObject({ title: text, entries: z.array(text) })),
});

export type ResultRow = z.infer<typeof row>;
export type ResultTopic = z.infer<typeof topic>;
export type Machines = Readonly<Record<string, string>>;

const folder = join(import.meta.dirname, 'results');
const machinesFile = 'machines.json';

const parsed = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

export const readMachines = (): Machines => z.record(text, text).parse(parsed(machinesFile));

export const readTopics = (): ResultTopic[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== machinesFile)
    .sort()
    .map((name) => topic.parse(parsed(name)));
