import { GatewayError } from '@sluice/canonical';
import { isRecord } from './is-record.ts';
import { asNonEmptyString, asString, isSet, type JsonObject } from './values.ts';

/** @param problem text that follows the path (e.g. `must be a string`) */
export function invalidField(path: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${path} ${problem}.`, { param: path });
}

/**
 * A value in a request body, with its path (e.g. `messages[0][content]`). Methods that require a type throw a
 * GatewayError `invalid_request` with the path.
 */
export class JsonField {
  readonly value: unknown;
  readonly #parent: JsonField | undefined;
  readonly #key: string | number;

  /**
   * @param key path of the value, or its name or index in the parent
   * @param parent undefined for a value with a known path
   */
  constructor(value: unknown, key: string | number, parent?: JsonField) {
    this.value = value;
    this.#key = key;
    this.#parent = parent;
  }

  /** Empty for the body itself. Built on demand, because only errors need it. */
  get path(): string {
    const above = this.#parent?.path ?? '';
    return above === '' ? String(this.#key) : `${above}[${this.#key}]`;
  }

  get isSet(): boolean {
    return isSet(this.value);
  }

  get string(): string | undefined {
    return asString(this.value);
  }

  get nonEmptyString(): string | undefined {
    return asNonEmptyString(this.value);
  }

  get(name: string): JsonField {
    return new JsonField(this.object()[name], name, this);
  }

  object(): JsonObject {
    if (isRecord(this.value)) return this.value;
    throw this.invalid(this.value === undefined ? 'is required' : 'must be an object');
  }

  items(): JsonField[] {
    if (Array.isArray(this.value)) {
      return this.value.map((item: unknown, index) => new JsonField(item, index, this));
    }
    throw this.invalid(this.isSet ? 'must be an array' : 'is required');
  }

  optionalItems(): JsonField[] {
    return this.isSet ? this.items() : [];
  }

  /** May return an empty string. */
  requireString(): string {
    if (typeof this.value === 'string') return this.value;
    throw this.invalid(this.isSet ? 'must be a string' : 'is required');
  }

  requireNonEmptyString(): string {
    const text = this.requireString();
    if (text === '') throw this.invalid('must not be empty');
    return text;
  }

  invalid(problem: string): GatewayError {
    return invalidField(this.path, problem);
  }
}
