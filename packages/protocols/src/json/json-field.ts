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
  readonly path: string;

  /** @param path path of the value; empty for the body itself */
  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
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
    return new JsonField(this.object()[name], this.path === '' ? name : `${this.path}[${name}]`);
  }

  object(): JsonObject {
    if (isRecord(this.value)) return this.value;
    throw this.invalid(this.value === undefined ? 'is required' : 'must be an object');
  }

  items(): JsonField[] {
    if (Array.isArray(this.value)) {
      return this.value.map((item: unknown, index) => new JsonField(item, `${this.path}[${index}]`));
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
