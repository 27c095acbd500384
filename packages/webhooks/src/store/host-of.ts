/** The host whose queue takes deliveries to a URL, as the scripts parse it: the spelling counts. */
export function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'nowhere';
}
