import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A copy of the last configuration from Redis that was valid, in the data folder. Only its owner can read it. */
export class LastGood {
  readonly #file: string;
  #text: string | undefined;

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, 'config', 'last-good.yaml');
  }

  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Replaces the copy at once, because other processes share the folder. */
  async write(text: string): Promise<void> {
    if (text === this.#text) return;
    const partial = `${this.#file}-${randomUUID()}`;
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    try {
      await writeFile(partial, text, { mode: 0o600, flush: true });
      await rename(partial, this.#file);
      this.#text = text;
    } finally {
      await rm(partial, { force: true });
    }
  }
}
