import { loadText } from '../machine.ts';
import type { SweepFigures } from './sweep.ts';

type Print = (line: string) => void;

export const rate = ({ samples, seconds }: SweepFigures): number => samples / seconds;

/** @param wantedBytes peak memory that no process should reach */
export function printSweep(print: Print, name: string, figures: SweepFigures, wantedBytes = 500e6): void {
  const { samples, seconds, processes } = figures;
  const cpuMs = (1000 * processes.reduce((sum, { cpuS }) => sum + cpuS, 0)) / samples;
  print(
    `${name}: ${rate(figures).toFixed(0)} samples/s (${seconds.toFixed(1)} s), ${cpuMs.toFixed(2)} ms of CPU a ` +
      `sample, ${loadText()}`,
  );
  for (const { name: who, peakBytes, cpuS } of processes) {
    const over = peakBytes > wantedBytes ? ` MISSED (wanted: under ${wantedBytes / 1e6})` : '';
    print(
      `  ${who.padEnd(20)} ${cpuS.toFixed(1).padStart(5)} s CPU ${(peakBytes / 1e6).toFixed(0).padStart(5)} ` +
        `MB at most${over}`,
    );
  }
}
