/** Formats a URL without user, password, query, and fragment. `embedded` stays as it is. */
export function showUrl(text: string): string {
  if (text === 'embedded') return text;
  const url = URL.parse(text);
  // If a password has a bare slash, its end is parsed as a path and its beginning as a port or host. `URL` rejects
  // `unix://user:password@/path`.
  if (url === null || url.pathname.includes('@')) return `${text.split(':', 1)[0]}://…`;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
