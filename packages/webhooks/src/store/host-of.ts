/** The host whose queue takes deliveries to a URL, parsed exactly as the scripts parse it. */
export function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'nowhere';
}
