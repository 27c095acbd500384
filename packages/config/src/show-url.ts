/** Shows a URL without user, password, query and fragment, where credentials hide. `embedded` stays as it is. */
export function showUrl(text: string): string {
  if (text === 'embedded') return text;
  const url = URL.parse(text);
  // Where a password holds a bare slash, its end is read as a path and its begin as a port or host. And
  // `unix://user:password@/path` is not read at all.
  if (url === null || url.pathname.includes('@')) return `${text.split(':', 1)[0]}://…`;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
