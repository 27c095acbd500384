import { GatewayError } from '@sluice/canonical';
import type { ReservedBytes } from './bytes-in-flight.ts';
import { inBytes } from './form-limits.ts';

/** Limits the size of a form's fields, which are kept in memory, to that of a JSON body. */
export class FieldBudget {
  readonly #maxBytes: number;
  readonly #memory: ReservedBytes | undefined;
  #bytes = 0;

  constructor(maxBytes: number, memory?: ReservedBytes) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  /** @throws GatewayError `payload_too_large` if the parser truncated the value, and the errors of {@link addBytes} */
  addText(text: string, isTruncated = false): void {
    this.addBytes(Buffer.byteLength(text));
    if (isTruncated) this.addBytes(Infinity);
  }

  /** @throws GatewayError `payload_too_large` beyond the limit, and the errors of {@link ReservedBytes.add} */
  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return this.#memory?.add(bytes);
    throw new GatewayError(
      'payload_too_large',
      `The fields of the form must be at most ${inBytes(this.#maxBytes)} in total.`,
    );
  }
}
