import { GatewayError } from '@sluice/canonical';
import { parseBody } from '../json/parse-json.ts';

export interface SplitOptions {
  /** The members that lead to the array. Each can have several names. */
  path: readonly (readonly string[])[];
  /** Maximum size of an element. */
  maxBytes: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** Names of members are short. A longer text is no name of the path. */
const MAX_NAME = 64;
/** Maximum size of the body without the elements. */
const REST_BYTES = 256 * 1024;

/**
 * Splits a JSON object into the elements of one array and the rest, in which the array is empty. Only one element is in
 * memory at a time, so a body can be larger than the memory. The elements are not validated, but all of them and the rest
 * are valid JSON only if the body is.
 */
export class BodySplitter {
  readonly #path: SplitOptions['path'];
  readonly #maxBytes: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Number of members of the path that lead to the current position. */
  #matched = 0;
  /** The last text of an object on the path, which is the name of a member if a colon follows. */
  #name: number[] = [];
  #isName = false;
  #isOnPath = false;
  /** The depth of the elements. 0 outside of the array. */
  #arrayDepth = 0;
  #hasArray = false;
  /** Whether an element has ended, so that another one must follow. */
  #hasElement = false;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  /** Where the element or the rest begins in the chunk. */
  #from = 0;

  constructor({ path, maxBytes }: SplitOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** @returns the elements that end in the chunk @throws GatewayError `payload_too_large`, `invalid_request` */
  push(chunk: Uint8Array): Uint8Array[] {
    const elements: Uint8Array[] = [];
    this.#from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) {
        this.#readText(byte);
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#isInString = true;
          this.#isName = this.#arrayDepth === 0 && this.#depth === this.#matched + 1;
          if (this.#isName) this.#name = [];
          break;
        case COLON:
          if (this.#isName) this.#isOnPath = this.#isNext(Buffer.from(this.#name).toString());
          break;
        case COMMA:
          if (this.#isBetweenElements()) this.#endElement(chunk, at, elements);
          else if (this.#depth === this.#matched + 1) this.#isOnPath = false;
          break;
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          this.#open(byte, chunk, at);
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#close(chunk, at, elements);
          break;
        default:
      }
    }
    this.#keep(chunk.subarray(this.#from));
    return elements;
  }

  /** Returns the rest of the body after its end. @throws GatewayError unless it is a valid JSON object */
  end(): Record<string, unknown> {
    return parseBody(Buffer.concat(this.#rest));
  }

  #readText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      return;
    }
    if (this.#isName && this.#name.length < MAX_NAME) this.#name.push(byte);
  }

  #isNext(name: string): boolean {
    return this.#path[this.#matched]?.includes(name) ?? false;
  }

  #isBetweenElements(): boolean {
    return this.#arrayDepth > 0 && this.#depth === this.#arrayDepth;
  }

  #open(byte: number, chunk: Uint8Array, at: number): void {
    this.#depth += 1;
    if (!this.#isOnPath || this.#arrayDepth > 0) return;
    this.#isOnPath = false;
    this.#isName = false;
    const isLast = this.#matched === this.#path.length - 1;
    if (byte === OPEN_OBJECT && !isLast) this.#matched += 1;
    if (byte !== OPEN_ARRAY || !isLast) return;
    if (this.#hasArray) {
      const name = this.#path.map(([first]) => first).join('.');
      throw new GatewayError('invalid_request', `\`${name}\` appears twice. Send it once.`, { param: name });
    }
    this.#hasArray = true;
    this.#keep(chunk.subarray(this.#from, at + 1));
    this.#arrayDepth = this.#depth;
    this.#from = at + 1;
  }

  #close(chunk: Uint8Array, at: number, elements: Uint8Array[]): void {
    if (this.#isBetweenElements()) {
      this.#keep(chunk.subarray(this.#from, at));
      const last = this.#take();
      if (this.#hasElement || !isBlank(last)) elements.push(last);
      this.#hasElement = false;
      this.#arrayDepth = 0;
      this.#from = at;
    }
    this.#depth -= 1;
    this.#isOnPath = false;
    if (this.#arrayDepth === 0 && this.#matched > 0 && this.#depth === this.#matched) this.#matched -= 1;
  }

  #endElement(chunk: Uint8Array, at: number, elements: Uint8Array[]): void {
    this.#keep(chunk.subarray(this.#from, at));
    elements.push(this.#take());
    this.#hasElement = true;
    this.#from = at + 1;
  }

  /** Adds bytes to the current element, or to the rest. */
  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#arrayDepth > 0) {
      this.#parts.push(part);
      this.#bytes += part.length;
    } else {
      this.#rest.push(part);
      this.#restBytes += part.length;
    }
    if (this.#bytes > this.#maxBytes) throw tooLarge('A request of a batch', this.#maxBytes);
    if (this.#restBytes > REST_BYTES) throw tooLarge('The body of a batch without its requests', REST_BYTES);
  }

  #take(): Uint8Array {
    const [only = EMPTY, ...more] = this.#parts;
    const element = more.length === 0 ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return element;
  }
}

const EMPTY = new Uint8Array();

function tooLarge(what: string, bytes: number): GatewayError {
  return new GatewayError('payload_too_large', `${what} must be at most ${bytes.toLocaleString('en-US')} bytes.`);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
