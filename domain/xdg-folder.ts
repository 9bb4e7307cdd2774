/**
 * A folder of the XDG base directory specification 0.8, e.g. `XDG_CACHE_HOME`. Undefined if the variable is unset,
 * empty or relative: "All paths set in these environment variables must be absolute", a relative one is to be ignored.
 */
export function xdgFolder(env: Readonly<Record<string, string | undefined>>, name: XdgVariable): string | undefined {
  const folder = env[name];
  return folder?.startsWith('/') ? folder : undefined;
}

type XdgVariable = 'XDG_CACHE_HOME' | 'XDG_CONFIG_HOME' | 'XDG_RUNTIME_DIR';
