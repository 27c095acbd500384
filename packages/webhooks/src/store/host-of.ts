/** The host whose lane takes what goes to a URL, as the scripts read it: another spelling of the same host is another. */
export function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'nowhere';
}
