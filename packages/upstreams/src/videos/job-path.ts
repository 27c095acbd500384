/** `/videos/{id}{rest}`; the id is one path segment, whatever it holds. */
export function jobPath({ upstreamId }: { upstreamId: string }, rest = ''): string {
  return `/videos/${encodeURIComponent(upstreamId)}${rest}`;
}
