/** Removes user, password, query, and fragment from a URL. Returns `embedded` unchanged. */
export function showUrl(text: string): string {
  if (text === 'embedded') return text;
  const url = URL.parse(text);
  // If a password contains an unescaped slash, `URL` parses the end of the password as the path. `URL` rejects
  // `unix://user:password@/path`.
  if (url === null || url.pathname.includes('@')) return `${text.split(':', 1)[0]}://…`;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
