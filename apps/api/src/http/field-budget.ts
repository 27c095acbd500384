import { GatewayError } from '@sluice/canonical';
import { inBytes } from './form-limits.ts';
import { printable } from './printable.ts';

/** More levels than any field needs, and far fewer than overflow the stack when encoded. */
const MAX_DEPTH = 500;

interface ReadField {
  name: string;
  value: unknown;
  isTruncated: boolean;
}

/** Limits the size of a form's fields, all of which stay in memory, to that of a JSON body. */
export class FieldBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws GatewayError if the fields are too large or nested too deeply */
  count({ name, value, isTruncated }: ReadField): void {
    this.#add(name.length);
    if (typeof value === 'string') this.#add(Buffer.byteLength(value));
    else this.#addJson(name, value);
    if (isTruncated) throw tooLarge(this.#maxBytes);
  }

  /**
   * Counts a value's minimum size as JSON. Iterates by level instead of recursively, since clients choose the depth.
   */
  #addJson(name: string, value: unknown): void {
    let level: unknown[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) {
        const what = `${printable(name)} is nested too deeply. Use at most ${MAX_DEPTH} levels.`;
        throw new GatewayError('invalid_request', what, { param: name });
      }
      const next: unknown[] = [];
      for (const item of level) {
        this.#add(typeof item === 'string' ? Buffer.byteLength(item) + 3 : 2);
        if (Array.isArray(item)) for (const element of item) next.push(element);
        else if (typeof item === 'object' && item !== null) {
          for (const [key, member] of Object.entries(item)) {
            this.#add(Buffer.byteLength(key) + 3);
            next.push(member);
          }
        }
      }
      level = next;
    }
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('payload_too_large', `The fields of the form must be at most ${inBytes(maxBytes)} in total.`);
}
