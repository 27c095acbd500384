/**
 * Writes to standard output. A pipe takes a text in pieces; the process may end once all of them are gone.
 * @returns the exit code of success
 */
export function printText(process: NodeJS.Process, text: string): Promise<number> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve(0));
  });
}
