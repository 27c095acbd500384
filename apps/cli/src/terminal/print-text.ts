/** Writes to standard output. Resolves with exit code 0 once everything has been written. */
export function printText(process: NodeJS.Process, text: string): Promise<number> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve(0));
  });
}
