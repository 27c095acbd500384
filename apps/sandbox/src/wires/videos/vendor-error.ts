import { WireError } from '../../http/wire-error.ts';

/** What an OpenAI-style error says besides its message. */
export interface VendorErrorDetails {
  type?: string;
  /** The field that is wrong. */
  param?: string;
  code: string;
  headers?: Record<string, string>;
}

/** An error as the vendor answers it: `{error: {message, type, param, code}}` under an HTTP status. */
export class VendorError extends WireError {
  constructor(status: number, message: string, details: VendorErrorDetails) {
    const { type = 'invalid_request_error', param = null, code, headers } = details;
    super(status, message, () => ({ error: { message, type, param, code } }), headers);
    this.name = 'VendorError';
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
