/** The benchmark formats that a spec may name, one line each. */
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import { evenkeel } from './evenkeel.ts';
import type { BenchmarkFormat } from './format.ts';
import { humanevalEt } from './humaneval-et.ts';
import { humanevalPlus } from './humaneval-plus.ts';
import { humaneval } from './humaneval.ts';
import { mbppEt } from './mbpp-et.ts';
import { mbppPlus } from './mbpp-plus.ts';
import { mbppSanitized } from './mbpp-sanitized.ts';
import { mxeval } from './mxeval.ts';
import { pareval } from './pareval.ts';

export const benchmarkFormats: Readonly<Record<BenchmarkFormatName, BenchmarkFormat>> = {
  humaneval,
  'humaneval-et': humanevalEt,
  'humaneval-plus': humanevalPlus,
  'mbpp-sanitized': mbppSanitized,
  'mbpp-et': mbppEt,
  'mbpp-plus': mbppPlus,
  mxeval,
  pareval,
  evenkeel,
};
