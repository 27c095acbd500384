import { WireError } from '../../http/wire-error.ts';

export interface VendorErrorDetails {
  type?: string;
  param?: string;
  code: string;
  headers?: Record<string, string>;
}

export class VendorError extends WireError {
  constructor(status: number, message: string, details: VendorErrorDetails) {
    const { type = 'invalid_request_error', param = null, code, headers } = details;
    super(status, message, () => ({ error: { message, type, param, code } }), headers);
    this.name = 'VendorError';
  }
}

export function invalidValue(param: string, message: string): VendorError {
  return new VendorError(400, message, { param, code: 'invalid_value' });
}

export function videoNotFound(id: string): VendorError {
  return new VendorError(404, `Video with id '${id}' not found.`, { param: 'video_id', code: 'not_found' });
}
