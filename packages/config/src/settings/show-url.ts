/** Formats a URL without user, password, query, and fragment. `embedded` stays as it is. */
export function showUrl(text: string): string {
  if (text === 'embedded') return text;
  const url = URL.parse(text);
  // If a password has a bare slash, `URL` takes its end for the path. It rejects `unix://user:password@/path`.
  if (url === null || url.pathname.includes('@')) return `${text.split(':', 1)[0]}://…`;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
