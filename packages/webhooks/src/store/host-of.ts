/** The host of a URL, parsed exactly as in the scripts. */
export function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'nowhere';
}
