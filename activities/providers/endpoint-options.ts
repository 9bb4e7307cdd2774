/** Connection settings of an account, for providers that call an endpoint. */
import type { ApiName } from '../../schemas/spec/account.ts';
import type { SpecAccount } from '../../schemas/spec.ts';
import { ProviderFault } from './provider.ts';
import { readSecret } from './secret.ts';

export interface EndpointOptions {
  /** Up to and including the version, `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Null for endpoints without a key: no Authorization header is sent. Read at the first call, like `headers`. */
  readonly apiKey: string | null;
  /** Sent with every request. Values are secrets: they appear in no message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** From sending to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The longest accepted answer, in bytes, both as sent and as unpacked. */
  readonly maxReplyBytes?: number | undefined;
  /** Default: chat. */
  readonly api?: ApiName | undefined;
  /** Whether answers are requested as server-sent events. Default: false. */
  readonly stream?: boolean | undefined;
}

/** Uses getters, since a worker that only writes tables needs no keys. */
export const endpointOptions = ({
  baseUrl,
  apiKeyEnv,
  headersEnv,
  timeoutMs,
  maxReplyBytes,
  api = 'chat',
  stream = false,
}: SpecAccount): EndpointOptions => ({
  baseUrl,
  get apiKey() {
    return apiKeyEnv === undefined ? null : secret(apiKeyEnv);
  },
  get headers() {
    return Object.fromEntries(Object.entries(headersEnv ?? {}).map(([header, variable]) => [header, secret(variable)]));
  },
  timeoutMs,
  maxReplyBytes,
  api,
  stream,
});

/** Keys are read when used and never stored. */
function secret(variable: string): string {
  const secret = readSecret(variable, process.env);
  if ('value' in secret) return secret.value;
  throw new ProviderFault('stop', `the environment variable ${variable} ${secret.fault} in this worker`, {
    unsent: `${variable} ${secret.fault}`,
  });
}
