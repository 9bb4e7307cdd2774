/** The proxy between this machine and an endpoint, which may be what is down. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface UsedProxy {
  /** Without user and password. */
  readonly address: string;
  /** The variable that names it. */
  readonly variable: string;
}

/** By the rules of undici's `EnvHttpProxyAgent`, which opens the connections; null for a direct one. */
export function usedProxy(url: string, env: Environment = process.env): UsedProxy | null {
  if (env['NODE_USE_ENV_PROXY'] !== '1' || isDirect(new URL(url), env['no_proxy'] ?? env['NO_PROXY'] ?? ''))
    return null;
  const plain = firstOf(env, 'http_proxy', 'HTTP_PROXY');
  const secure = firstOf(env, 'https_proxy', 'HTTPS_PROXY');
  return url.startsWith('https:') && secure !== null ? secure : plain;
}

/** An empty variable in small letters hides the one in capitals. */
function firstOf(env: Environment, small: string, capital: string): UsedProxy | null {
  const variable = env[small] === undefined ? capital : small;
  const value = env[variable] ?? '';
  return value === '' ? null : { address: withoutUser(value), variable };
}

function withoutUser(address: string): string {
  const url = URL.parse(address);
  return url === null ? '(not an address)' : `${url.protocol}//${url.host}`;
}

/** @param list hosts with or without a port, between commas or spaces; each stands for its subdomains too */
function isDirect({ protocol, hostname, port }: URL, list: string): boolean {
  if (list === '*') return true;
  const asked = Number(port) || (protocol === 'https:' ? 443 : 80);
  return list.split(/[,\s]/).some((entry) => {
    const [, host = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const name = host.replace(/^\*?\./, '').toLowerCase();
    const isMeant = hostname === name || hostname.endsWith(`.${name}`);
    return entry !== '' && isMeant && (only === undefined || Number(only) === 0 || Number(only) === asked);
  });
}

/** What follows why there is no connection: the proxy, and what to do; empty for a direct connection. */
export function throughProxy(url: string, code: string | null): string {
  const proxy = usedProxy(url);
  if (proxy === null) return '';
  const { address, variable } = proxy;
  const way = `correct ${variable}, or list ${new URL(url).hostname} in NO_PROXY`;
  return code !== null && isProxyRefusal(code)
    ? ` through the proxy ${address}, which refuses it: ${way}`
    : ` through the proxy ${address}, which may be down: start it, ${way}`;
}

/** The code of a connection that the proxy did not make, as undici tells it; null for any other error. */
export function proxyRefusal(error: unknown): string | null {
  const [, status] = error instanceof Error ? (/^Proxy response \((\d+)\)/.exec(error.message) ?? []) : [];
  return status === undefined ? null : `${refusalStart}${status}`;
}

const refusalStart = 'the proxy answers ';
export const isProxyRefusal = (code: string): boolean => code.startsWith(refusalStart);
