import { WireError } from '../../http/wire-error.ts';

/** Creates an error of AWS's REST protocol. The header names the exception. */
export function awsError(
  status: number,
  exception: string,
  message: string,
  headers: Record<string, string> = {},
): WireError {
  const type = `${exception}:http://internal.amazon.com/coral/com.amazon.bedrock/`;
  return new WireError(status, message, () => ({ message }), { 'x-amzn-errortype': type, ...headers });
}
