/** What an OpenAI-style error says besides its message. */
export interface VendorErrorDetails {
  type?: string;
  /** The field that is wrong. */
  param?: string;
  code: string;
  headers?: Record<string, string>;
}

/** An error as the vendor answers it: `{error: {message, type, param, code}}` under an HTTP status. */
export class VendorError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  readonly #type: string;
  readonly #param: string | null;

  constructor(status: number, message: string, details: VendorErrorDetails) {
    super(message);
    this.name = 'VendorError';
    this.status = status;
    this.code = details.code;
    this.headers = details.headers ?? {};
    this.#type = details.type ?? 'invalid_request_error';
    this.#param = details.param ?? null;
  }

  /** The answer's body. */
  body(): { error: { message: string; type: string; param: string | null; code: string } } {
    return { error: { message: this.message, type: this.#type, param: this.#param, code: this.code } };
  }
}

/** The error for a field with a value that the vendor does not take. */
export function invalidValue(param: string, message: string): VendorError {
  return new VendorError(400, message, { param, code: 'invalid_value' });
}

/** The error for an id that the vendor does not know. */
export function videoNotFound(id: string): VendorError {
  return new VendorError(404, `Video with id '${id}' not found.`, { param: 'video_id', code: 'not_found' });
}
