import { GatewayError } from '@sluice/canonical';
import { printable } from './printable.ts';

/** More levels than any field has a use for, and far fewer than what ends the stack of whoever writes it again. */
const MAX_DEPTH = 500;

/** A field of a form as its parser gives it: text, or what a part that says that it is JSON holds. */
interface ReadField {
  name: string;
  value: unknown;
  /** Whether the parser has cut it. */
  isCut: boolean;
}

/** Counts the fields of a form, all of which stay in memory: together they may have what a JSON body may. */
export class FieldBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a field. @throws GatewayError when it is too much, or nested too deeply */
  count({ name, value, isCut }: ReadField): void {
    this.#add(name.length);
    if (typeof value === 'string') this.#add(Buffer.byteLength(value));
    else this.#addJson(name, value);
    if (isCut) throw tooLarge();
  }

  /** Counts what a value has at least as JSON. Level by level, not by recursion: it may be as deep as its sender likes. */
  #addJson(name: string, value: unknown): void {
    let level: unknown[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) {
        throw new GatewayError('invalid_request', `${printable(name)} is nested too deeply.`, { param: name });
      }
      const next: unknown[] = [];
      for (const item of level) {
        // With the comma or the bracket beside it.
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
    if (this.#bytes > this.#maxBytes) throw tooLarge();
  }
}

function tooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The fields of the form are larger than this gateway takes.');
}
