/** Removes user, password, query, and fragment from a URL. Returns `embedded` unchanged. */
export function showUrl(text: string): string {
  if (text === 'embedded') return text;
  const url = URL.parse(text);
  // `URL` parses the end of a password with an unescaped slash as the path. It rejects `unix://user:password@/path`.
  if (url === null || url.pathname.includes('@')) return `${text.split(':', 1)[0]}://…`;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
