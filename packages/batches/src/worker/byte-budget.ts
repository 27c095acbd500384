/** Limits the bytes of the lines that are in memory at once. A line that exceeds the limit is alone in memory. */
export class ByteBudget {
  readonly #max: number;
  readonly #waiting: { bytes: number; resolve: () => void }[] = [];
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Waits until the bytes are available. Each call needs a {@link release}. */
  async take(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#used += bytes;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push({ bytes, resolve }));
  }

  release(bytes: number): void {
    this.#used -= bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.resolve();
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#max;
  }
}
