/** The command line with a clock that goes four times as fast: what it measures with is hurried, timers are not. */
const now = performance.now.bind(performance);
performance.now = () => 4 * now();

await import('../../../../../cli/main.ts');
