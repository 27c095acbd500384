/** Removes packages from a dpkg status file by their names, so that apt treats them as not installed. */
export function withoutPackages(status: string, names: RegExp): string {
  return status
    .split(/\n{2,}/)
    .filter((paragraph) => !names.test(/^Package: (.+)$/m.exec(paragraph)?.[1] ?? ''))
    .join('\n\n');
}
