export function jobPath({ upstreamId }: { upstreamId: string }, rest = ''): string {
  return `/videos/${encodeURIComponent(upstreamId)}${rest}`;
}
