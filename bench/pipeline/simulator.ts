/**
 * Entry of a simulator process: the workload's models over HTTP. Arguments: the workload's folder, mean latency in
 * milliseconds. Sends its base URL to its parent.
 */
import { startSimulatorServer } from '../../simulator/server.ts';
import { simulatorOptions } from './workload.ts';

const running = await startSimulatorServer({
  ...(await simulatorOptions(process.argv[2] ?? '.')),
  port: 0,
  latencyMs: Number(process.argv[3] ?? 0),
});
process.send?.(running.url);
process.on('disconnect', () => process.exit(0));
