/** dpkg's status without the packages that hold a server: apt then takes them for not installed. */
export function withoutRedis(status: string): string {
  return status
    .split(/\n{2,}/)
    .filter(
      (paragraph) => !/^Package: (redis|redis-server|redis-tools|valkey|valkey-server|valkey-tools)$/m.test(paragraph),
    )
    .join('\n\n');
}
