const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg\w*\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bChrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns e.g. `Firefox 140 on Linux`. @param agent a `User-Agent` header, which is returned if it is unknown */
export function browserName(agent: string): string {
  const [name] = BROWSERS.flatMap(([pattern, browser]) => {
    const version = pattern.exec(agent)?.[1];
    return version === undefined ? [] : [`${browser} ${version}`];
  });
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (name === undefined) return agent;
  return system === undefined ? name : `${name} on ${system}`;
}
