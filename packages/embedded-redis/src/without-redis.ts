/** Removes packages that contain a server from a dpkg status file, so that apt treats them as not installed. */
export function withoutRedis(status: string): string {
  return status
    .split(/\n{2,}/)
    .filter(
      (paragraph) => !/^Package: (redis|redis-server|redis-tools|valkey|valkey-server|valkey-tools)$/m.test(paragraph),
    )
    .join('\n\n');
}
