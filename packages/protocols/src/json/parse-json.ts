import { GatewayError } from '@sluice/canonical';
import { isRecord } from './is-record.ts';
import { scanJson } from './scan-json.ts';

/** @throws GatewayError `invalid_request`, and the errors of {@link scanJson} */
export function parseJson(bytes: Uint8Array): unknown {
  scanJson(bytes);
  return parseScanned(bytes);
}

/** Parses JSON that has passed {@link scanJson}. @throws GatewayError `invalid_request` */
export function parseScanned(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return value;
  } catch {
    throw new GatewayError('invalid_request', 'The body is not valid JSON.');
  }
}

/** @throws GatewayError `invalid_request` if the body is not a JSON object, and the errors of {@link parseJson} */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  return expectObject(parseJson(bytes));
}

/** @throws GatewayError `invalid_request` */
export function expectObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new GatewayError('invalid_request', 'The body must be a JSON object.');
}
