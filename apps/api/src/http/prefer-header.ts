const MAX_WAIT_SECONDS = 60;

/** Parses `Prefer: wait=N` (RFC 7240). Returns the seconds to wait, at most 60, or `undefined` without the header. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const text = textOf(header);
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?=$|[,;\s])/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

/** Parses `Prefer: respond-async` (RFC 7240). With this header, a client requests the task instead of its result. */
export function prefersAsync(header: string | string[] | undefined): boolean {
  return /(?:^|[,;\s])respond-async(?=$|[,;\s])/i.test(textOf(header));
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}
