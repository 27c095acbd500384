/** The client's `Sec-WebSocket-Protocol`. Browsers cannot set any other header. */
export interface OfferedProtocols {
  /** Whether the client offers `realtime`, the only protocol that the gateway selects. */
  offersRealtime: boolean;
  key?: string;
  /** The value for `OpenAI-Beta`. */
  beta?: string;
}

/** Whitespace that can surround list items (RFC 9110 §5.6.3). */
const BLANKS = /^[ \t]+|[ \t]+$/g;
const KEY = 'openai-insecure-api-key.';
const BETA = /^openai-beta\.([\w-]+)-(v\d+)$/;

/** Parses the header. If it contains several keys, the first one is used. */
export function readOfferedProtocols(header: string | undefined): OfferedProtocols {
  const offered = (header ?? '').split(',').map((item) => item.replaceAll(BLANKS, ''));
  const key = offered.find((item) => item.startsWith(KEY) && item.length > KEY.length)?.slice(KEY.length);
  const beta = offered.map((item) => BETA.exec(item)).find((match) => match !== null);
  return {
    offersRealtime: offered.includes('realtime'),
    ...(key !== undefined && { key }),
    ...(beta && { beta: `${beta[1]}=${beta[2]}` }),
  };
}
