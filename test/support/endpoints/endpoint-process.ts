/**
 * The simulated endpoint as a separate process, so that it can be killed: `endpoint-process.ts LOG LATENCY_MS PORT`.
 * Prints its port.
 */
import { startSimulatedEndpoint } from './simulated-endpoint.ts';

const [logFile = '', latencyMs = '0', port = '0'] = process.argv.slice(2);
const endpoint = await startSimulatedEndpoint(logFile, Number(latencyMs), undefined, Number(port));
process.stdout.write(`${new URL(endpoint.url).port}\n`);
