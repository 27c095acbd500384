/** Writes to standard output, and resolves with exit code 0 when a pipe has accepted everything. */
export function printText(process: NodeJS.Process, text: string): Promise<number> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve(0));
  });
}
