/** Returns the host of a URL. The scripts must parse hosts in exactly the same way. */
export function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'nowhere';
}
