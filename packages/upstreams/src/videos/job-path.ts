/** `/videos/{id}{rest}`; the id is escaped as one path segment. */
export function jobPath({ upstreamId }: { upstreamId: string }, rest = ''): string {
  return `/videos/${encodeURIComponent(upstreamId)}${rest}`;
}
